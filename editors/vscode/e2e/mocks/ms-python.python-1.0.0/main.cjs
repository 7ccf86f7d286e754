/** In the shape of @vscode/python-extension. */
const vscode = require("vscode");

exports.activate = (context) => {
  const changed = new vscode.EventEmitter();
  const chosen = () => vscode.workspace.getConfiguration("standIn").get("python", "");
  const tell = ({ affectsConfiguration }) => affectsConfiguration("standIn.python") && changed.fire({ path: chosen() });
  context.subscriptions.push(changed, vscode.workspace.onDidChangeConfiguration(tell));
  return {
    ready: Promise.resolve(),
    environments: {
      getActiveEnvironmentPath: () => ({ id: chosen(), path: chosen() }),
      resolveEnvironment: async ({ path }) =>
        path === "" ? undefined : { path, executable: { uri: vscode.Uri.file(path) } },
      onDidChangeActiveEnvironmentPath: changed.event,
    },
  };
};
