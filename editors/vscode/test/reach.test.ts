import assert from "node:assert/strict";
import { test } from "vitest";

import { borrowsExample, hasExample } from "../src/reach.ts";

const EXAMPLES = [
  "# nst: example(np.ones(3))\ndef f(x): ...",
  "    #nst:example(1)",
  "@tracer.example(np.ones(3))\ndef f(x): ...",
  '    @example(\n        "x")',
  'def f(x):\n    """>>> f(1)"""',
  "def f(x):\n    '''Doubles.\n\n    >>> f(np.ones(3))\n    '''",
  'def f(x: Annotated[np.ndarray, spec("b 4")]): ...',
  "from jaxtyping import Float",
  "def f(x: np.ndarray[tuple[int, int], np.dtype[np.float64]]): ...",
];
const NONE = [
  "",
  "import numpy as np\n\n\ndef f(x):\n    return x * 2\n",
  "# an example of nst: none",
  "y = x >> 3",
  "def f(x: np.ndarray) -> int: ...",
  "def example(x): ...",
];

test("each way of writing an example is seen in a text, and nothing else", () => {
  assert.deepEqual(
    EXAMPLES.filter((text) => !hasExample(text)),
    [],
  );
  assert.deepEqual(NONE.filter(hasExample), []);
});

const SHAPES = 'Batch = Annotated[np.ndarray, spec("b 4")]\n';

/** Whether `/w/pkg/model.py` with this text borrows an example from these files. */
function borrows(text: string, files: Record<string, string>, ranked = false): Promise<boolean> {
  return borrowsExample(text, "/w/pkg/model.py", ranked, async (file) => files[file]);
}

test("annotations are looked up in the files that they are imported from", async () => {
  const uses = "def f(x: Batch): ...\n";
  const cases: [string, Record<string, string>][] = [
    ["from .types import Batch\n", { "/w/pkg/types.py": SHAPES }],
    ["from . import types\n", { "/w/pkg/__init__.py": "from .types import *", "/w/pkg/types.py": SHAPES }],
    ["from ..types import Batch\n", { "/w/types.py": SHAPES }],
    ["from pkg.types import Batch\n", { "/w/pkg/types.py": SHAPES }],
    ["import lib.types as t\n", { "/w/src/lib/types/__init__.py": SHAPES }],
    ["from größen import Batch\n", { "/w/größen.py": SHAPES }],
    ["from a import *\n", { "/w/a.py": "from b import *\n", "/w/b.py": "from c import *\n", "/w/c.py": SHAPES }],
  ];
  for (const [text, files] of cases) assert.equal(await borrows(text + uses, files), true, text);
});

test("what is not annotated, not imported or not told borrows nothing", async () => {
  const types = { "/w/pkg/types.py": SHAPES };
  assert.equal(await borrows("from .types import Batch\n\n\ndef f(x): ...\n", types), false);
  assert.equal(await borrows("def f(x: Batch): ...\n", types), false);
  assert.equal(await borrows("from .types import Batch\n\n\ndef f(x: Batch): ...\n", { "/w/pkg/types.py": "" }), false);
});

test("modules that import each other end the search", async () => {
  const files = { "/w/a.py": "from b import *\n", "/w/b.py": "from a import *\n" };
  assert.equal(await borrows("from a import T\n\n\ndef f(x: T): ...\n", files), false);
});

test("arrays without a shape count where settings tell their ranks", async () => {
  const text = "def f(x: np.ndarray): ...\n";
  assert.equal(await borrows(text, {}), false);
  assert.equal(await borrows(text, {}, true), true);
  assert.equal(await borrows(text, { "/w/pyproject.toml": "[tool.nst]\nranks = { x = 2 }\n" }), true);
  const borrowed = { "/w/pkg/types.py": "Image = np.ndarray\n" };
  assert.equal(await borrows("from .types import Image\n\n\ndef f(x: Image): ...\n", borrowed, true), true);
});
