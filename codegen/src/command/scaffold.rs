//! `cargo codegen new AREA/NAME`: a declaration and its handler, with a test that fails until somebody wrote it.
//!
//! Where the declaration is there already only the handler is written. Never overwrites.

use std::{fs, path::Path, process::ExitCode};

use oaken_codegen::{
    ir::{Class, Operation},
    naming,
};

use super::Place;

/// Scaffolds.
pub fn run(place: &Place, path: &str) -> ExitCode {
    let Some((area, name)) = path
        .split_once('/')
        .filter(|(a, n)| naming::is_snake(a) && naming::is_snake(n))
    else {
        eprintln!("error: `{path}` is not AREA/NAME in snake_case, for example messages/pin_messages");
        return ExitCode::from(2);
    };
    if name.len() > naming::MAX_NAME {
        eprintln!("error: the name has over {} characters", naming::MAX_NAME);
        return ExitCode::from(2);
    }
    let declaration = place
        .spec
        .join("operations")
        .join(area)
        .join(format!("{name}.yaml"));
    let handler = place.handlers().join(area).join(format!("{name}.rs"));
    let written = create(&declaration, &declaration_text(area, name)).and_then(|new| {
        let (spec, _) = place.compile();
        let text = handler_text(name, spec.operation(name));
        Ok((new, create(&handler, &text)?))
    });
    match written {
        Ok((new_declaration, new_handler)) => {
            say(&declaration, new_declaration, place);
            say(&handler, new_handler, place);
            println!(
                "next: say in the declaration what it takes and answers, make the handler's test pass, and run"
            );
            println!(
                "      `cargo codegen` for docs/reference, then `cargo test -p oaken-operations {name}`"
            );
            ExitCode::SUCCESS
        }
        Err(e) => {
            eprintln!("error: the files cannot be written: {}", e.kind());
            ExitCode::FAILURE
        }
    }
}

fn say(path: &Path, new: bool, place: &Place) {
    let shown = path.strip_prefix(&place.root).unwrap_or(path).display();
    println!("{} {shown}", if new { "wrote" } else { "kept " });
}

/// Whether the file was created; one that is there stays.
fn create(path: &Path, text: &str) -> std::io::Result<bool> {
    if path.exists() {
        return Ok(false);
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)?;
    Ok(true)
}

fn declaration_text(area: &str, name: &str) -> String {
    let cli = naming::cli_path(area, name).join(" ");
    format!(
        "operation: {name}
title: {title}
summary: Tell what {name} does, in one sentence.
class: read                   # read | mutate | send
ceiling: never                # never | off | on: how far it may be offered to agents
input: {{}}
output:
  count: {{ type: integer, min: 0, doc: \"What it counted.\" }}
cli: {cli}
examples: [{{ input: {{}} }}]
",
        title = naming::title(name),
    )
}

/// A handler that compiles and answers `internal` until it is written.
fn handler_text(name: &str, operation: Option<&Operation>) -> String {
    let ty = naming::model_name(name);
    let summary = operation.map_or("What it does.", |o| o.summary.as_str());
    let marks_read = operation.is_some_and(|o| o.marks_read);
    let (uses, body) = match operation.map(|o| (o.class, o.nested, o.preview)) {
        Some((Class::Mutate, true, _)) => (
            "use oaken_gate::NestedCall;\nuse oaken_mail::handler::{Nest, ReadCx};\nuse serde_json::Value;\n",
            format!(
                "impl Nest for {ty} {{
    type Note = ();

    async fn plan(_cx: &ReadCx, _input: &{ty}Input) -> Result<(Vec<NestedCall>, ())> {{
        Err(Error::internal())
    }}

    fn output(_note: &(), _outputs: Vec<Value>) -> Result<{ty}Output> {{
        Err(Error::internal())
    }}
}}"
            ),
        ),
        Some((Class::Mutate, false, true)) => {
            let effect = if marks_read { "MarksRead" } else { "Changes" };
            let uses = if marks_read {
                "use oaken_core::Preview;\nuse oaken_gate::{Applied, MarksRead};\nuse oaken_mail::handler::{Cx, Mutate, ReadCx};\n"
            } else {
                "use oaken_core::Preview;\nuse oaken_gate::{Applied, Changes};\nuse oaken_mail::handler::{Cx, Mutate, ReadCx};\n"
            };
            (
                uses,
                format!(
                    "impl Mutate for {ty} {{
    type Effect = {effect};
    type Plan = ();

    async fn preview(_cx: &ReadCx, _input: &{ty}Input) -> Result<(Preview, Self::Plan)> {{
        Err(Error::internal())
    }}

    async fn apply(_cx: &Cx<{effect}>, _plan: &Self::Plan) -> Result<Applied<{ty}Output>> {{
        Err(Error::internal())
    }}
}}"
                ),
            )
        }
        Some((Class::Mutate, false, false)) => (
            "use oaken_gate::{Applied, Changes};\nuse oaken_mail::handler::{Cx, Unseen};\n",
            format!(
                "impl Unseen for {ty} {{
    async fn apply(_cx: &Cx<Changes>, _input: &{ty}Input) -> Result<Applied<{ty}Output>> {{
        Err(Error::internal())
    }}
}}"
            ),
        ),
        Some((Class::Send, ..)) => (
            "use oaken_core::Letter;\nuse oaken_mail::handler::{ReadCx, Send};\n",
            format!(
                "impl Send for {ty} {{
    async fn compose(_cx: &ReadCx, _input: &{ty}Input) -> Result<Letter> {{
        Err(Error::internal())
    }}
}}"
            ),
        ),
        Some((Class::Read, ..)) | None => (
            "use oaken_mail::handler::{Read, ReadCx};\n",
            format!(
                "impl Read for {ty} {{
    async fn run(_cx: &ReadCx, _input: &{ty}Input) -> Result<{ty}Output> {{
        Err(Error::internal())
    }}
}}"
            ),
        ),
    };
    let names = if body.contains(&format!("{ty}Input")) {
        format!("{{{ty}, {ty}Input, {ty}Output}}")
    } else {
        ty
    };
    format!(
        "//! {summary}

use oaken_core::{{Error, Result}};
{uses}
use crate::generated::{names};

{body}

#[cfg(test)]
mod tests {{
    #[test]
    fn {name}_does_what_it_says() {{
        panic!(\"write here what {name} must do, then make it so\");
    }}
}}
"
    )
}
