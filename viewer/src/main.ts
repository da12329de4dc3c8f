// The page of a run: its header, its view, its small print.

import { readReport } from "./data";
import { fillHeader, finePrint } from "./header";
import { partsOf } from "./parts";
import { mountRun } from "./run_view";
import { setUpTheme } from "./theme";

const parts = partsOf(document.body), report = readReport();
setUpTheme(parts("theme"));
fillHeader(parts, report);
mountRun(parts("view"), report, { autoplay: !navigator.webdriver });
parts("fine-print").textContent = finePrint(report);
document.documentElement.dataset.ready = "yes";
