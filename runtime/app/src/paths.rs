//! Where Oaken keeps things: the data directory, and the keys apart from it.

use std::path::{Path, PathBuf};

use oaken_core::{Code, Error, Result};

/// The two directories of one installation.
#[derive(Clone, Debug)]
pub struct Paths {
    /// Databases and blobs; mode 0700.
    pub data: PathBuf,
    /// Keys; mode 0700, outside the data directory and every backup of it.
    pub keys: PathBuf,
}

impl Paths {
    /// The directories of a person's own installation: `--data` (keys then lie beside it, in `<data>.keys`), or
    /// `oaken` below the XDG data and configuration directories.
    ///
    /// # Errors
    /// When neither a flag nor the environment names a home.
    pub fn of_person(data: Option<&Path>) -> Result<Self> {
        if let Some(data) = data {
            return Ok(Paths {
                data: data.to_owned(),
                keys: beside(data),
            });
        }
        let data = xdg("XDG_DATA_HOME", ".local/share")?.join("oaken");
        let keys = xdg("XDG_CONFIG_HOME", ".config")?.join("oaken").join("keys");
        Ok(Paths { data, keys })
    }

    /// The directories of the demo, apart from a person's own.
    ///
    /// # Errors
    /// When neither a flag nor the environment names a home.
    pub fn of_demo(data: Option<&Path>) -> Result<Self> {
        let data = match data {
            Some(data) => data.to_owned(),
            None => xdg("XDG_DATA_HOME", ".local/share")?.join("oaken-demo"),
        };
        Ok(Paths {
            keys: beside(&data),
            data,
        })
    }
}

impl Paths {
    /// The flags that lead another process to the same directories; none where they are a person's own.
    pub fn flags(&self) -> Vec<std::ffi::OsString> {
        if self.keys == beside(&self.data) {
            vec!["--data".into(), self.data.clone().into()]
        } else {
            vec![]
        }
    }
}

fn beside(data: &Path) -> PathBuf {
    let mut name = data
        .file_name()
        .map_or_else(Default::default, std::ffi::OsStr::to_os_string);
    name.push(".keys");
    data.with_file_name(name)
}

fn xdg(variable: &str, below_home: &str) -> Result<PathBuf> {
    let named = |v: &str| std::env::var_os(v).map(PathBuf::from).filter(|p| p.is_absolute());
    named(variable)
        .or_else(|| named("HOME").map(|home| home.join(below_home)))
        .ok_or_else(|| {
            Error::new(
                Code::InvalidInput,
                "No home directory is set; name the data directory with --data.",
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_lie_outside_the_data_directory() {
        for paths in [
            Paths::of_person(Some(Path::new("/srv/oaken"))),
            Paths::of_demo(Some(Path::new("/srv/oaken"))),
        ] {
            let paths = paths.unwrap();
            assert_eq!(paths.keys, Path::new("/srv/oaken.keys"));
            assert!(!paths.keys.starts_with(&paths.data));
        }
    }
}
