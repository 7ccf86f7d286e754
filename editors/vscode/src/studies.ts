/**
 * PyTorch's own tracers, which are asked about a function's example: by the line above it, a code action, or the palette.
 *
 * The server shows what they answer, and says what stands in the way of an answer: a file without PyTorch, a function
 * without an example.
 */

import { COMMANDS, type FunctionAt, type Study } from "./protocol.ts";
import type { Server } from "./server.ts";
import { cursor } from "./graph.ts";

/** By the command of the palette. */
const STUDIES: Readonly<Record<string, Study["study"]>> = {
  "nst.showJointGraph": "joint",
  "nst.showForwardGraph": "forward",
  "nst.showBackwardGraph": "backward",
  "nst.askDynamo": "dynamo",
  "nst.askExport": "export",
};

/** The commands of the palette, and that of lines and actions, which bring with them what they are about. */
export function studyCommands(server: Server): Record<string, (where?: FunctionAt) => unknown> {
  const palette = Object.entries(STUDIES).map(([command, study]) => [
    command,
    (where = cursor()) => where && server.execute(COMMANDS.showStudy, { ...where, study }),
  ]);
  return {
    ...Object.fromEntries(palette),
    [COMMANDS.showStudy]: (where?: FunctionAt) => where && server.execute(COMMANDS.showStudy, where),
  };
}
