//! What editors ask, in the shapes of the Language Server Protocol.

use oddsmith_session::{
    Analysis, CodeAction, Completion, CompletionKind, Diagnostic, Document, DocumentSymbol,
    DocumentSymbolKind, Encoding, Position, Range, Refusal, SemanticToken, Shows, TOKEN_TYPES,
    TextEdit,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Failure;
use crate::message::params;

/// Who says what is wrong with a text.
const SOURCE: &str = "oddsmith";

/// The method by which names are changed.
pub(crate) const RENAME: &str = "textDocument/rename";

/// The methods that are answered about a text.
const METHODS: [&str; 11] = [
    "textDocument/codeAction",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/formatting",
    "textDocument/prepareRename",
    "textDocument/rangeFormatting",
    "textDocument/references",
    RENAME,
    "textDocument/semanticTokens/full",
];

pub(crate) fn is_known(method: &str) -> bool {
    METHODS.contains(&method)
}

/// What the client tells of itself, as far as it matters.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Client {
    capabilities: ClientCapabilities,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ClientCapabilities {
    general: GeneralCapabilities,
    window: WindowCapabilities,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct WindowCapabilities {
    show_document: Support,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Support {
    support: bool,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct GeneralCapabilities {
    position_encodings: Vec<String>,
}

/// What positions count, as the protocol calls it.
const ENCODINGS: [(&str, Encoding); 3] = [
    ("utf-16", Encoding::Utf16),
    ("utf-8", Encoding::Utf8),
    ("utf-32", Encoding::Utf32),
];

/// What is agreed upon with a client.
pub(crate) struct Agreed {
    /// What positions count: of what the client can the first one that it names, or what all clients can.
    pub(crate) encoding: (&'static str, Encoding),
    /// Whether the client opens what it is told to.
    pub(crate) shows_documents: bool,
}

impl Agreed {
    /// By the parameters of `initialize`.
    pub(crate) fn with(client: &Value) -> Self {
        let Client { capabilities } = Client::deserialize(client).unwrap_or_default();
        let named = capabilities.general.position_encodings.into_iter();
        let known = |name: String| ENCODINGS.into_iter().find(|(own, _)| *own == name);
        Self {
            encoding: named.filter_map(known).next().unwrap_or(ENCODINGS[0]),
            shows_documents: capabilities.window.show_document.support,
        }
    }
}

/// What this server can do, as the answer to `initialize`; positions count what `encoding` says.
pub(crate) fn capabilities(encoding: &str) -> Value {
    json!({
        "capabilities": {
            "positionEncoding": encoding,
            "textDocumentSync": { "openClose": true, "change": 2 },
            "completionProvider": { "triggerCharacters": [".", "[", "\"", "=", " "] },
            "hoverProvider": true,
            "definitionProvider": true,
            "referencesProvider": true,
            "renameProvider": { "prepareProvider": true },
            "documentSymbolProvider": true,
            "foldingRangeProvider": true,
            "documentFormattingProvider": true,
            "documentRangeFormattingProvider": true,
            "codeActionProvider": { "codeActionKinds": ["quickfix"] },
            "codeLensProvider": {},
            "executeCommandProvider": { "commands": Shows::COMMANDS.map(|(command, _)| command) },
            "inlayHintProvider": true,
            "semanticTokensProvider": {
                "legend": { "tokenTypes": TOKEN_TYPES, "tokenModifiers": ["definition"] },
                "full": true,
            },
        },
        "serverInfo": { "name": SOURCE, "version": env!("CARGO_PKG_VERSION") },
    })
}

/// What is wrong with a text, as it is published.
pub(crate) fn faults(document: &Document, analysis: &Analysis) -> Value {
    let found = document.diagnostics_of(analysis);
    let told: Vec<Value> = found
        .iter()
        .map(|fault| diagnostic(document, fault))
        .collect();
    json!({ "uri": document.uri(), "version": document.version(), "diagnostics": told })
}

fn diagnostic(document: &Document, fault: &Diagnostic) -> Value {
    let related = fault.related.iter().map(|related| {
        let location = json!({ "uri": document.uri(), "range": related.range });
        json!({ "location": location, "message": related.message })
    });
    let lines = [
        Some(&fault.message),
        Some(&fault.label),
        fault.help.as_ref(),
    ];
    let lines: Vec<&str> = { lines.into_iter().flatten() }
        .map(String::as_str)
        .filter(|line| !line.is_empty())
        .collect();
    json!({
        "range": fault.range,
        "severity": if fault.is_error { 1 } else { 2 },
        "source": SOURCE,
        "message": lines.join("\n"),
        "relatedInformation": related.collect::<Vec<_>>(),
    })
}

/// A place that is asked about.
#[derive(Deserialize)]
pub(crate) struct At {
    pub(crate) position: Position,
}

#[derive(Deserialize)]
struct References {
    position: Position,
    context: ReferenceContext,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReferenceContext {
    include_declaration: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Rename {
    position: Position,
    new_name: String,
}

/// A range that is asked about.
#[derive(Deserialize)]
pub(crate) struct Within {
    pub(crate) range: Range,
}

/// The changes of a project's file that follow from a rename.
pub(crate) fn renamed_columns(
    document: &Document,
    own: &Value,
    project: &Document,
    others: &[String],
) -> Result<Vec<TextEdit>, Failure> {
    let Rename { position, new_name } = params(RENAME, own)?;
    Ok(document.renamed_columns(position, &new_name, project, others))
}

/// The answer about a version of a text; `method` is one of those that are known.
pub(crate) fn answer(method: &str, document: &Document, own: &Value) -> Result<Value, Failure> {
    let at = || params::<At>(method, own).map(|at| at.position);
    Ok(match method {
        "textDocument/completion" => completions(&document.completion(at()?)),
        "textDocument/definition" => {
            let found = document.definition(at()?).into_iter();
            found.map(|place| location(document, place.name)).collect()
        }
        "textDocument/references" => {
            let References { position, context } = params(method, own)?;
            let found = document.references(position, context.include_declaration);
            found
                .into_iter()
                .map(|range| location(document, range))
                .collect()
        }
        "textDocument/prepareRename" => {
            let renamable = document
                .prepare_rename(at()?)
                .map_err(|why| refused(&why))?;
            json!({ "range": renamable.range, "placeholder": renamable.name })
        }
        RENAME => {
            let Rename { position, new_name } = params(method, own)?;
            let edits = document
                .rename(position, &new_name)
                .map_err(|why| refused(&why))?;
            workspace_edit(document, &edits)
        }
        "textDocument/documentSymbol" => document.document_symbols().iter().map(symbol).collect(),
        "textDocument/foldingRange" => json!(document.folding_ranges()),
        // How many blanks a tab has is not asked for: there is one way.
        "textDocument/formatting" => json!(document.formatting()),
        "textDocument/rangeFormatting" => {
            let Within { range } = params(method, own)?;
            json!(document.range_formatting(range))
        }
        "textDocument/codeAction" => {
            let Within { range } = params(method, own)?;
            let actions = document.code_actions(range).into_iter();
            actions.map(|action| quick_fix(document, &action)).collect()
        }
        "textDocument/semanticTokens/full" => {
            json!({ "data": packed(&document.semantic_tokens()) })
        }
        _ => return Err(Failure::method(method)),
    })
}

fn quick_fix(document: &Document, action: &CodeAction) -> Value {
    json!({
        "title": action.title,
        "kind": "quickfix",
        "isPreferred": true,
        "diagnostics": [diagnostic(document, &action.diagnostic)],
        "edit": workspace_edit(document, &action.edits),
    })
}

fn refused(why: &Refusal) -> Failure {
    Failure::refused(&why.message, "")
}

fn location(document: &Document, range: Range) -> Value {
    json!({ "uri": document.uri(), "range": range })
}

fn workspace_edit(document: &Document, edits: &[TextEdit]) -> Value {
    let document = json!({ "uri": document.uri(), "version": document.version() });
    json!({ "documentChanges": [{ "textDocument": document, "edits": edits }] })
}

fn completions(found: &[Completion]) -> Value {
    let items = found.iter().enumerate().map(|(at, completion)| {
        let mut item = json!({
            "label": completion.label,
            "kind": completion_kind(completion.kind),
            "detail": completion.detail,
            // The nearest first, whatever letter it begins with.
            "sortText": format!("{at:05}"),
            "textEdit": completion.edit,
        });
        if !completion.documentation.is_empty() {
            item["documentation"] =
                json!({ "kind": "markdown", "value": completion.documentation });
        }
        item
    });
    json!({ "isIncomplete": false, "items": items.collect::<Vec<_>>() })
}

/// The number that the protocol has for it.
fn completion_kind(kind: CompletionKind) -> u8 {
    match kind {
        CompletionKind::Key => 10,
        CompletionKind::Table => 9,
        CompletionKind::Keyword => 14,
        CompletionKind::Function => 3,
        CompletionKind::Modifier => 24,
        CompletionKind::Check => 7,
        CompletionKind::Input => 21,
        CompletionKind::Variable => 6,
        CompletionKind::Label => 20,
        CompletionKind::Value => 12,
        CompletionKind::Game => 17,
    }
}

fn symbol(own: &DocumentSymbol) -> Value {
    json!({
        "name": own.name,
        "detail": own.detail,
        "kind": symbol_kind(own.kind),
        "range": own.range,
        "selectionRange": own.selection_range,
        "children": own.children.iter().map(symbol).collect::<Vec<_>>(),
    })
}

/// The number that the protocol has for it.
fn symbol_kind(kind: DocumentSymbolKind) -> u8 {
    match kind {
        DocumentSymbolKind::Namespace => 3,
        DocumentSymbolKind::Object => 19,
        DocumentSymbolKind::Property => 7,
        DocumentSymbolKind::Class => 5,
        DocumentSymbolKind::Function => 12,
        DocumentSymbolKind::Constant => 14,
        DocumentSymbolKind::Variable => 13,
        DocumentSymbolKind::Struct => 23,
    }
}

/// Five numbers for each word: lines and code units since the one before, its length, its type, and its modifiers.
fn packed(tokens: &[SemanticToken]) -> Vec<u32> {
    let mut before = Position::default();
    let mut data = Vec::with_capacity(5 * tokens.len());
    for token in tokens {
        let line = token.start.line - before.line;
        let character = match line {
            0 => token.start.character - before.character,
            _ => token.start.character,
        };
        let kind = (0_u32..)
            .zip(TOKEN_TYPES)
            .find(|(_, name)| *name == token.kind);
        let kind = kind.map_or(0, |(at, _)| at);
        data.extend([
            line,
            character,
            token.length,
            kind,
            token.is_definition.into(),
        ]);
        before = token.start;
    }
    data
}
