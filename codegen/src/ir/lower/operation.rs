//! One operation, of either front end.

use super::{About, Owner, Report, Shapes, cli, field, required, word};
use crate::{
    diagnostic::Diagnostics,
    frontend::{RawOperation, Spanned},
    ir::{Approval, Ceiling, Class, Example, Mcp, McpResult, Operation, Origin, Origins, Presence, Then},
    naming,
};

/// Lowers an operation. `None` when a part is missing or cannot be resolved; every such part was reported.
#[must_use]
pub fn operation(raw: &RawOperation, shapes: &Shapes, found: &mut Diagnostics) -> Option<Operation> {
    let mut report = Report {
        found,
        about: About::Operation(raw.declared),
    };
    let r = &mut report;
    let at = Owner {
        origin: &raw.origin,
        spoiled: &raw.spoiled,
    };

    let name = required(raw.operation.as_ref(), "operation", "the name of the file", at, r);
    let area = required(raw.area.as_ref(), "area", "a folder of spec/operations", at, r);
    let summary = required(raw.summary.as_ref(), "summary", "one sentence", at, r);
    let class = required(raw.class.as_ref(), "class", "one of read, mutate, send", at, r)
        .and_then(|c| word(c, "class", Class::WORDS, Class::from_word, r));
    let ceiling = required(raw.ceiling.as_ref(), "ceiling", "one of never, off, on", at, r)
        .and_then(|c| word(c, "ceiling", Ceiling::WORDS, Ceiling::from_word, r));
    let approval = match &raw.approval {
        Some(a) => word(a, "approval", Approval::WORDS, Approval::from_word, r),
        None => Some(Approval::Agent),
    };
    let presence = match &raw.presence {
        Some(p) => word(p, "presence", Presence::WORDS, Presence::from_word, r).map(Some),
        None => Some(None),
    };
    let input = raw
        .input
        .as_ref()
        .map_or_else(|| Some(Vec::new()), |f| field::all(&f.value, shapes, r));
    let output = required(
        raw.output.as_ref(),
        "output",
        "a mapping from a name to a type",
        at,
        r,
    )
    .and_then(|f| field::all(&f.value, shapes, r));
    let mcp = mcp(raw, r);
    let then = then(raw, r);
    let cli_only = raw.cli_only.as_ref().is_some_and(|c| c.value);
    let cli = match &raw.cli {
        Some(text) => cli::parse(text, cli_only, r),
        None => Some(crate::ir::Cli {
            path: naming::cli_path(area.map_or("", |a| &a.value), name.map_or("", |n| &n.value)),
            positional: Vec::new(),
            only: cli_only,
        }),
    };
    let examples = examples(raw, r);

    if let Some(nested) = raw
        .nested
        .as_ref()
        .filter(|n| n.value && class.is_some_and(|c| c != Class::Mutate))
    {
        r.push(
            "S003",
            &nested.origin,
            "`nested` is for a mutate: its body is calls to others",
            "leave it out",
        );
    }

    let (name, area, class) = (name?, area?, class?);
    let flag = |part: &Option<Spanned<bool>>| part.as_ref().is_some_and(|p| p.value);
    let mut mcp = mcp?;
    if mcp.tool.is_empty() {
        mcp.tool = naming::mcp_tool(&name.value);
    }
    Some(Operation {
        name: name.value.clone(),
        area: area.value.clone(),
        title: raw
            .title
            .as_ref()
            .map_or_else(|| naming::title(&name.value), |t| t.value.clone()),
        summary: summary?.value.clone(),
        description: raw
            .description
            .as_ref()
            .map(|d| d.value.trim().to_owned())
            .unwrap_or_default(),
        class,
        ceiling: ceiling?,
        marks_read: flag(&raw.marks_read),
        preview: class == Class::Mutate && raw.preview.as_ref().is_none_or(|p| p.value),
        nested: flag(&raw.nested),
        destroys: flag(&raw.destroys),
        approval: approval?,
        presence: presence?,
        schedulable: flag(&raw.schedulable),
        undo: raw.undo.as_ref().map(|u| u.value.clone()),
        then: then?,
        mcp,
        cli: cli?,
        input: input?,
        output: output?,
        examples: examples?,
        declared: raw.declared,
        origins: origins(raw, &name.origin),
    })
}

fn mcp(raw: &RawOperation, report: &mut Report<'_>) -> Option<Mcp> {
    let Some(mcp) = &raw.mcp else {
        return Some(Mcp {
            tool: String::new(),
            action: None,
            result: McpResult::Structured,
        });
    };
    let result = match &mcp.value.result {
        Some(r) => word(r, "mcp.result", McpResult::WORDS, McpResult::from_word, report)?,
        None => McpResult::Structured,
    };
    Some(Mcp {
        tool: mcp
            .value
            .tool
            .as_ref()
            .map(|t| t.value.clone())
            .unwrap_or_default(),
        action: mcp.value.action.as_ref().map(|a| a.value.clone()),
        result,
    })
}

fn then(raw: &RawOperation, report: &mut Report<'_>) -> Option<Option<Then>> {
    let Some(then) = &raw.then else { return Some(None) };
    let owner = Owner {
        origin: &then.origin,
        spoiled: &raw.spoiled,
    };
    let when = required(
        then.value.when.as_ref(),
        "when",
        "a boolean input field",
        owner,
        report,
    );
    let run = required(then.value.run.as_ref(), "run", "an operation", owner, report);
    Some(Some(Then {
        when: when?.value.clone(),
        run: run?.value.clone(),
    }))
}

fn examples(raw: &RawOperation, report: &mut Report<'_>) -> Option<Vec<Example>> {
    let Some(examples) = &raw.examples else {
        return Some(Vec::new());
    };
    let owner = Owner {
        origin: &examples.origin,
        spoiled: &raw.spoiled,
    };
    let mut out = Vec::new();
    let mut whole = true;
    for example in &examples.value {
        match required(example.input.as_ref(), "input", "a complete input", owner, report) {
            Some(input) => out.push(Example {
                input: input.value.to_json(),
                origin: input.origin.clone(),
            }),
            None => whole = false,
        }
    }
    whole.then_some(out)
}

fn origins(raw: &RawOperation, name: &Origin) -> Origins {
    fn or<T>(part: &Option<Spanned<T>>, name: &Origin) -> Origin {
        part.as_ref().map_or(name, |p| &p.origin).clone()
    }
    Origins {
        name: name.clone(),
        area: or(&raw.area, name),
        summary: or(&raw.summary, name),
        description: or(&raw.description, name),
        class: or(&raw.class, name),
        ceiling: or(&raw.ceiling, name),
        marks_read: or(&raw.marks_read, name),
        preview: or(&raw.preview, name),
        destroys: or(&raw.destroys, name),
        approval: or(&raw.approval, name),
        presence: or(&raw.presence, name),
        schedulable: or(&raw.schedulable, name),
        undo: or(&raw.undo, name),
        then: or(&raw.then, name),
        mcp: or(&raw.mcp, name),
        cli: or(&raw.cli, name),
    }
}
