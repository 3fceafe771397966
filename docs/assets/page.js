// What every page has but those inside others' pages: the theme when it is wanted, diagrams that can
// be played and copied, and the site kept for later.

import "./theme.js";
import "./figures.js";
import "./copy.js";
import "./offline.js";
