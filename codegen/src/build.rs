//! What build scripts call: one line each.
//!
//! Faults go to cargo as `cargo::error`, one line each, and the script ends normally; cargo then says that it logged
//! errors and does not run rustc. The generated file is written all the same, without the faulty operations, so that an
//! editor keeps the types. Each script watches only its own folders: a crate is rebuilt whenever its script reran.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
};

use crate::{
    Diagnostic, Diagnostics, Scope, Spec, compile, emit,
    frontend::{self, walk},
    ir::{self, Declared},
    rules,
};

/// For the crate of the shared vocabulary: models and settings. Watches these two folders.
///
/// Where one of them is faulty everything that is wrong with the spec is said here, because cargo may stop before the
/// scripts of the crates that come after.
pub fn core() {
    let Some(tree) = Tree::find() else { return };
    watch(&[tree.spec.join("models"), tree.spec.join("settings")]);
    let mut shape_faults = Diagnostics::default();
    let shapes = shapes(&tree.spec, &mut shape_faults);
    if !shape_faults.is_empty() {
        let (_, found) = tree.compile();
        say(&found, |_| true);
    }
    write("models.rs", &emit::models::emit(&shapes));
    write("settings.rs", &emit::settings::emit(&shapes));
}

/// For the crate of the operations: everything, and that each has its handler. Watches the spec, the handlers, and the
/// folders that declare operations with `#[operation]`.
///
/// What is wrong with one operation of an attribute is left to the macro; where a model or a setting is faulty all is
/// left to [`core`].
pub fn operations() {
    let Some(tree) = Tree::find() else { return };
    watch(&[tree.spec.clone(), tree.handlers.clone()]);
    watch(&tree.attribute_folders());
    let mut shape_faults = Diagnostics::default();
    let _ = shapes(&tree.spec, &mut shape_faults);
    let (mut spec, found) = tree.compile();
    if shape_faults.is_empty() {
        say(&found, |d| {
            !(d.declared == Declared::Attribute && d.scope == Scope::Operation)
        });
    }
    let faulty: BTreeSet<&str> = found.iter().map(|d| &*d.origin.file).collect();
    spec.operations
        .retain(|op| !faulty.contains(&*op.origins.name.file));
    write("operations.rs", &emit::entries::emit(&spec));
}

/// For a crate that declares operations with `#[operation]`: the list of them. Watches its own sources, and the models
/// and settings, which the macro reads.
pub fn attributes() {
    let Some(tree) = Tree::find() else { return };
    let sources = tree.package.join("src");
    watch(&[
        tree.spec.join("models"),
        tree.spec.join("settings"),
        sources.clone(),
    ]);
    // What is wrong is said by the macro, and over the whole spec by the build of the operations.
    let (spec, _) = compile(&tree.spec, &[sources]);
    write("operations.rs", &emit::entries::emit_attributes(&spec));
}

/// For the tests of the tree: the types of every operation once more, for a second opinion on their schemas. What is
/// wrong with the spec is said by the builds of the product.
pub fn oracle() {
    let Some(tree) = Tree::find() else { return };
    watch(std::slice::from_ref(&tree.spec));
    watch(&tree.attribute_folders());
    let (spec, _) = tree.compile();
    write("oracle.rs", &emit::oracle::emit(&spec));
}

/// The models and settings of a spec folder, checked by themselves.
#[must_use]
pub fn shapes(spec: &Path, found: &mut Diagnostics) -> Spec {
    let raw = frontend::load_shapes(spec, found);
    let shapes = ir::lower::spec(raw, found);
    rules::check(&shapes, found);
    found.sort();
    shapes
}

/// The Rust files below `runtime` that hold an `#[operation]`, in a stable order.
#[must_use]
pub fn attribute_sources(root: &Path) -> Vec<PathBuf> {
    let crates = walk::folders(&root.join("runtime"))
        .into_iter()
        .map(|c| root.join("runtime").join(c).join("src"));
    let files = crates.flat_map(|src| walk::files(&src, "rs"));
    files
        .filter(|f| fs::read_to_string(f).is_ok_and(|text| text.contains("#[operation")))
        .collect()
}

/// Where the parts lie, seen from the package being built.
struct Tree {
    package: PathBuf,
    root: PathBuf,
    spec: PathBuf,
    handlers: PathBuf,
}

impl Tree {
    /// The nearest folder at or above the package that holds `spec`. Says so where there is none.
    fn find() -> Option<Self> {
        let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
        let Some(root) = package
            .ancestors()
            .find(|d| d.join("spec").is_dir())
            .map(Path::to_owned)
        else {
            println!("cargo::error=there is no folder `spec` at or above the package");
            return None;
        };
        let own = package.join("src/handlers");
        let handlers = if own.is_dir() {
            own
        } else {
            root.join("runtime/operations/src/handlers")
        };
        Some(Self {
            spec: root.join("spec"),
            handlers,
            package,
            root,
        })
    }

    fn compile(&self) -> (Spec, Diagnostics) {
        let (spec, mut found) = compile(&self.spec, &attribute_sources(&self.root));
        if self.handlers.is_dir() {
            rules::check_handlers(&spec, &self.handlers, &self.root, &mut found);
            found.sort();
        }
        (spec, found)
    }

    fn attribute_folders(&self) -> Vec<PathBuf> {
        let folders: BTreeSet<PathBuf> = attribute_sources(&self.root)
            .iter()
            .filter_map(|f| f.parent().map(Path::to_owned))
            .collect();
        folders.into_iter().collect()
    }
}

fn watch(paths: &[PathBuf]) {
    for path in paths {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}

fn say(found: &Diagnostics, whose: impl Fn(&Diagnostic) -> bool) {
    for diagnostic in found.iter().filter(|d| whose(d)) {
        println!("cargo::error={}", found.line(diagnostic));
    }
}

fn write(name: &str, text: &str) {
    let path = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join(name);
    if let Err(e) = fs::write(&path, text) {
        println!(
            "cargo::error=the generated {name} cannot be written: {}",
            e.kind()
        );
    }
}
