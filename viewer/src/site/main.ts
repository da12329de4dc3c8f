// The pages of the static site: the gallery and the guide. The laboratory is a page of its own.

import { WasmCore } from "../lab/wasm_core";
import { setUpTheme } from "../theme";
import { keepOffline } from "./keep_offline";
import { setUpExamples } from "./examples";
import { setUpGallery } from "./gallery";

const core = new WasmCore();
Object.assign(self, { carom: core }); // for consoles: await carom.run({ scene: "..." }, console.log, new AbortController().signal)
setUpTheme(document.getElementById("theme")!);
if (matchMedia("(max-width: 860px)").matches) document.querySelector(".contents")?.removeAttribute("open");
setUpGallery(core);
setUpExamples(core);
keepOffline();
