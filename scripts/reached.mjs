// Pyodide's script with only what can be reached, for scripts/small_pyodide.py, which gives on the standard
// input, as JSON, {script, loader, imported}: the script, the one that loads it, and the names that its wasm
// file imports. On the standard output comes the script without all the rest; the rest of it is as it was.
//
// The script is one large function. What it declares is kept where something that is kept mentions the name,
// in whatever sense. These statements are not mentions, since they would keep nearly all of it:
//
//   var wasmImports={a:_a,…}   what the wasm file may import; only what it does import stays.
//   Module["a"]=_a             kept where a is mentioned as a property or text, or anywhere in the loader.
//   a.b=…; a.b();              says something about a, and is kept where a is.
//
// Every statement that is not understood is kept, and all that it mentions.

import { readFileSync } from "node:fs";
import { parse } from "acorn";

const FACTORY = "moduleArg"; // the parameter of the large function
const MODULE = "Module";
const IMPORTS = "wasmImports";
const WORD = /[A-Za-z_$][\w$]*/g;
// Calculated without anything else changing, when their parts are.
const CALCULATIONS = new Set([
  "ArrayExpression", "BinaryExpression", "ConditionalExpression", "LogicalExpression", "MemberExpression",
  "ObjectExpression", "Property", "TemplateElement", "TemplateLiteral",
]);
const FUNCTIONS = new Set(["ArrowFunctionExpression", "FunctionExpression"]);
// What can be made without anything else changing.
const MADE = new Set(["Array", "Float32Array", "Int32Array", "Map", "Set", "TextDecoder", "WeakMap"]);

const { script, loader, imported } = JSON.parse(readFileSync(0, "utf8"));

class Stop extends Error {}

const isNode = (value) => typeof value?.type === "string";
const partsOf = (node) => Object.values(node).flat().filter(isNode);
const textOf = ({ start, end }) => script.slice(start, end);

function reached() {
  const statements = factory().body.body;
  const importsCut = withoutUnusedImports(statements);
  const pieces = statements.flatMap(piecesOf);
  const declared = new Set(pieces.flatMap(({ declares }) => declares));
  for (const piece of pieces) {
    // What comes from elsewhere may be used there.
    if (piece.about.some((name) => !declared.has(name))) piece.always = true;
  }
  const kept = keptOf(pieces);
  return without([importsCut, ...statements.flatMap((statement) => cutsIn(statement, kept))]);
}

function factory() {
  const found = functionsIn(parse(script, { ecmaVersion: "latest" })).filter(
    ({ params: [first] }) => first?.left?.name === FACTORY,
  );
  if (found.length !== 1) throw new Stop(`not one function takes ${FACTORY}, but ${found.length}`);
  return found[0];
}

function functionsIn(node) {
  const inside = partsOf(node).flatMap(functionsIn);
  return FUNCTIONS.has(node.type) ? [node, ...inside] : inside;
}

// Takes what is not imported out of the syntax tree; what is given back takes it out of the text.
function withoutUnusedImports(statements) {
  const list = statements
    .flatMap(({ declarations = [] }) => declarations)
    .find(({ id }) => id.name === IMPORTS)?.init;
  if (list?.type !== "ObjectExpression") throw new Stop(`there is no list ${IMPORTS}`);
  const offered = new Map(list.properties.map((property) => [keyOf(property), property]));
  const missing = imported.filter((name) => !offered.has(name));
  if (missing.length) throw new Stop(`${IMPORTS} lacks ${missing.join(", ")}`);
  list.properties = list.properties.filter((property) => imported.includes(keyOf(property)));
  return { ...list, instead: `{${list.properties.map(textOf).join(",")}}` };
}

/* What the script consists of: each piece declares names, or is about names declared elsewhere, or publishes
   properties of Module. Where it is kept, what it mentions is what its content mentions. */

function piecesOf(statement) {
  const { type, id, declarations, expression } = statement;
  if (type === "FunctionDeclaration" || type === "ClassDeclaration") {
    return [piece(statement, { declares: [id.name] })];
  }
  if (type === "VariableDeclaration") return declarations.map(variable);
  if (expression?.type === "AssignmentExpression") return [assignment(statement)];
  if (expression?.type === "CallExpression") return [call(statement)];
  return [piece(statement, { always: true })];
}

function piece(node, known) {
  return { node, declares: [], about: [], publishes: [], content: [node], always: false, ...known };
}

function variable(node) {
  if (node.id.type !== "Identifier") return piece(node, { always: true });
  const { targets, value } = assigned(node.init);
  const declares = [node.id.name];
  if (!targets.every(isPublished) || !isQuiet(value)) return piece(node, { declares, always: true });
  return piece(node, { declares, publishes: targets.map(keyOf), content: value ? [value] : [] });
}

function assignment(statement) {
  const { targets, value } = assigned(statement.expression);
  const others = targets.filter((target) => !isPublished(target));
  const about = others.map(ownerOf);
  if (!isQuiet(value) || !about.every(Boolean)) return piece(statement, { always: true });
  const publishes = targets.filter(isPublished).map(keyOf);
  return piece(statement, { about, publishes, content: [value, ...others] });
}

function call(statement) {
  const owner = ownerOf(statement.expression.callee);
  const understood = owner && statement.expression.arguments.every(isQuiet);
  return piece(statement, understood ? { about: [owner] } : { always: true });
}

// What a=b=value assigns to, and the value.
function assigned(node) {
  const targets = [];
  while (node?.type === "AssignmentExpression" && node.operator === "=") {
    targets.push(node.left);
    node = node.right;
  }
  return { targets, value: node };
}

function isPublished({ type, object, ...member }) {
  return type === "MemberExpression" && object.name === MODULE && keyOf(member) !== undefined;
}

// The name of a in a.b.c, unless that is Module, which all pieces share.
function ownerOf(node) {
  if (node.type !== "MemberExpression") return undefined;
  while (node.type === "MemberExpression") node = node.object;
  return node.type === "Identifier" && node.name !== MODULE ? node.name : undefined;
}

// The name of a property, where it is not calculated.
function keyOf({ computed, key, property = key }) {
  if (property.type === "Literal") return String(property.value);
  return computed ? undefined : property.name;
}

// Whether nothing else changes when this is calculated.
function isQuiet(node) {
  if (!node || node.type === "Identifier" || node.type === "Literal" || FUNCTIONS.has(node.type)) return true;
  if (node.type === "UnaryExpression") return node.operator !== "delete" && isQuiet(node.argument);
  if (node.type === "NewExpression") return MADE.has(node.callee.name) && node.arguments.every(isQuiet);
  return CALCULATIONS.has(node.type) && partsOf(node).every(isQuiet);
}

/* What is kept */

// The nodes of the pieces that are kept.
function keptOf(pieces) {
  const kept = new Set();
  const names = new Set();
  const properties = new Set(loader.match(WORD));
  const isWanted = ({ always, declares, about, publishes }) =>
    always
    || [...declares, ...about].some((name) => names.has(name))
    || publishes.some((name) => properties.has(name));
  for (let before = -1; before < kept.size; ) {
    before = kept.size;
    for (const piece of pieces) {
      if (kept.has(piece.node) || !isWanted(piece)) continue;
      kept.add(piece.node);
      for (const node of piece.content) mention(node, names, properties);
    }
  }
  return kept;
}

function mention(node, names, properties) {
  if (node.type === "Identifier") names.add(node.name);
  if (node.type === "Literal") properties.add(String(node.value));
  if (node.type === "MemberExpression" && node.object.name === MODULE && keyOf(node) === undefined) {
    throw new Stop(`which property of ${MODULE} is meant is calculated in ${textOf(node)}`);
  }
  const key = node.property ?? node.key;
  for (const part of partsOf(node)) {
    if (part === key && !node.computed) properties.add(keyOf(node));
    if (part !== key || node.computed || node.shorthand) mention(part, names, properties);
  }
}

/* What is cut out */

// Where in the text nothing, or something else, is to stand.
function cutsIn(statement, kept) {
  const { type, kind, declarations } = statement;
  if (type !== "VariableDeclaration") return kept.has(statement) ? [] : [{ ...statement, instead: "" }];
  const left = declarations.filter((declaration) => kept.has(declaration));
  if (left.length === declarations.length) return [];
  return [{ ...statement, instead: left.length ? `${kind} ${left.map(textOf).join(",")};` : "" }];
}

function without(cuts) {
  let text = "";
  let from = 0;
  for (const { start, end, instead } of cuts.sort((one, other) => one.start - other.start)) {
    if (start < from) throw new Stop(`${IMPORTS} is not used, or not declared alone`);
    text += script.slice(from, start) + instead;
    from = end;
  }
  return text + script.slice(from);
}

try {
  process.stdout.write(reached());
} catch (error) {
  if (!(error instanceof Stop)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
