//! A rule's page, parted: the blocks under `## Bad` and `## Good` are files of a spec.

/// A page.
#[derive(Debug, Default)]
pub struct Page {
    /// What is refused: files that together break the rule.
    pub bad: Vec<Block>,
    /// The same, mended.
    pub good: Vec<Block>,
}

/// One file of an example.
#[derive(Debug)]
pub struct Block {
    /// Its path, from the first comment line.
    pub path: String,
    /// Its text, without that line.
    pub text: String,
}

impl Page {
    /// Parts a page. A block without a path in its first line (`# spec/…` or `// …`) is left out.
    #[must_use]
    pub fn parse(markdown: &str) -> Self {
        let mut page = Page::default();
        let mut section = "";
        let mut open: Option<Vec<&str>> = None;
        for line in markdown.lines() {
            match &mut open {
                Some(lines) if line.starts_with("```") => {
                    let block = block(lines);
                    open = None;
                    match section {
                        "## Bad" => page.bad.extend(block),
                        "## Good" => page.good.extend(block),
                        _ => {}
                    }
                }
                Some(lines) => lines.push(line),
                None if line.starts_with("```") => open = Some(Vec::new()),
                None if line.starts_with("## ") => section = line.trim_end(),
                None => {}
            }
        }
        page
    }
}

fn block(lines: &[&str]) -> Option<Block> {
    let (first, rest) = lines.split_first()?;
    let path = first.strip_prefix("# ").or(first.strip_prefix("// "))?.trim();
    let mut text = rest.join("\n");
    text.push('\n');
    path.contains('/').then(|| Block {
        path: path.to_owned(),
        text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_files() {
        let page = Page::parse(
            "# R1\n\n## Bad\n\n```yaml\n# spec/a.yaml\na: b\n```\n\n## Good\n```yaml\nno path\n```\n",
        );
        assert_eq!(page.bad.len(), 1);
        assert_eq!(
            (page.bad[0].path.as_str(), page.bad[0].text.as_str()),
            ("spec/a.yaml", "a: b\n")
        );
        assert!(page.good.is_empty());
    }
}
