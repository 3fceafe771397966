// Every page follows the looks chosen on the play page.
import { applyLooks } from "./settings.js";

applyLooks();
