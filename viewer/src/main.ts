// The page of a run, of a comparison or of an impact: its header, its view, its small print.

import { mountComparison } from "./compare_view";
import { readData, type ComparisonReport, type ImpactReport, type Report } from "./data";
import { addFact, fillHeader, finePrint, keysText } from "./header";
import { mountImpact } from "./impact_view";
import { partsOf } from "./parts";
import { mountRun } from "./run_view";
import { setUpTheme } from "./theme";

const parts = partsOf(document.body), data = readData(), autoplay = !navigator.webdriver;
setUpTheme(parts("theme"));

/** A title, or a name of a file as people would write it. */
const spelled = (title: string) => (/^[a-z0-9_]+$/.test(title) ? title.charAt(0).toUpperCase() + title.slice(1).replaceAll("_", " ") : title);

function showTitle(title: string, about: string, facts: [string, string][]): void {
  document.title = `${title} – Carom`;
  parts("title").textContent = title;
  parts("about").textContent = about;
  for (const [value, name] of facts) addFact(parts("facts"), value, name);
}

function showComparison(comparison: ComparisonReport): void {
  const { reports, table, sentences } = comparison, first = reports[0];
  showTitle(comparison.title, comparison.about, [[String(reports.length), "laws"], [first?.run.scheme ?? "", ""]]);
  mountComparison(parts("view"), reports, { autoplay, table, sentences });
  const slow = reports.some((one) => one.inside.length) ? ", S is slow motion through an impact, all laws in step" : "";
  parts("fine-print").textContent = `The scene is ${first?.run.scene.replace(/^.*[\\/]/, "")}. ${keysText}${slow}.`;
}

function showImpact(impact: ImpactReport): void {
  const count = impact.outcomes.length, contacts = impact.contact_count;
  showTitle(spelled(impact.title), impact.about, [[count === 1 ? impact.outcomes[0].label : String(count), count === 1 ? "law" : "laws"], [String(contacts), contacts === 1 ? "contact" : "contacts"]]);
  mountImpact(parts("view"), impact, { autoplay });
  if (impact.outcomes.some((one) => one.inside)) parts("fine-print").textContent = "Keys: space plays, ← → step, + − change the speed.";
}

function showRun(report: Report): void {
  fillHeader(parts, report);
  mountRun(parts("view"), report, { autoplay });
  parts("fine-print").textContent = finePrint(report);
}

if (data.format === "carom-comparison-report/1") showComparison(data as ComparisonReport);
else if (data.format === "carom-impact-report/1") showImpact(data as ImpactReport);
else showRun(data as Report);
document.documentElement.dataset.ready = "yes";
