/** In the shape of @vscode/python-environments; like the real one it tells of each change several times. */
const vscode = require("vscode");

exports.activate = (context) => {
  const changed = new vscode.EventEmitter();
  const executable = () => vscode.workspace.getConfiguration("standIn").get("environment", "");
  const tell = ({ affectsConfiguration }) => {
    if (!affectsConfiguration("standIn.environment")) return;
    for (let time = 0; time < 5; time++) changed.fire({ uri: undefined, old: undefined, new: undefined });
  };
  context.subscriptions.push(changed, vscode.workspace.onDidChangeConfiguration(tell));
  return {
    getEnvironment: async () => (executable() === "" ? undefined : { execInfo: { run: { executable: executable() } } }),
    onDidChangeEnvironment: changed.event,
  };
};
