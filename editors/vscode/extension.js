// Starts `naturalness lsp` for Markdown and plain text; all else is done by the server.
"use strict";

const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const LANGUAGES = ["markdown", "plaintext"];

let client;

async function start() {
  const settings = workspace.getConfiguration("naturalness");
  const command = settings.get("command");
  const server = { command, args: ["lsp", ...settings.get("arguments")] };
  const documentSelector = LANGUAGES.flatMap((language) =>
    ["file", "untitled"].map((scheme) => ({ scheme, language })),
  );
  client = new LanguageClient("naturalness", server, { documentSelector });
  try {
    await client.start();
  } catch (error) {
    window.showErrorMessage(
      `${command} lsp does not start (${error.message}). Run pip install '.[lsp]' in a clone of the ` +
        "project, or set naturalness.command to the program's path.",
    );
  }
}

async function stop() {
  if (client?.isRunning()) {
    await client.stop();
  }
}

async function restart() {
  await stop();
  await start();
}

exports.activate = async ({ subscriptions }) => {
  subscriptions.push(
    commands.registerCommand("naturalness.restart", restart),
    workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("naturalness") && restart()),
  );
  await start();
};

exports.deactivate = stop;
