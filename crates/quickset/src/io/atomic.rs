//! Files that are there whole or not at all.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind, Result};

/// Lets `fill` write a file beside `path`, and gives it that name once it is complete and on the disk. If anything
/// fails, an older file of that name stays as it was. What is no regular file, such as a pipe, is written directly.
pub fn write_atomically(
    path: impl AsRef<Path>,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<()>,
) -> Result<()> {
    let path = path.as_ref();
    let fill = |out: &mut BufWriter<File>| {
        fill(out)?;
        out.flush().map_err(|error| Error::io(path, &error))
    };
    let failed = |error: std::io::Error| Error::io(path, &error);
    // A link stays a link: what it points to is replaced.
    let place = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    if let Ok(about) = std::fs::metadata(&place) {
        if about.is_dir() {
            return Err(Error::new(ErrorKind::Io, "this is a directory, expected a file to write")
                .in_file(path)
                .remedy("name a file inside it"));
        }
        if !about.is_file() {
            return fill(&mut BufWriter::new(File::options().write(true).open(&place).map_err(failed)?));
        }
    }
    let folder = folder_of(&place);
    let aside = aside(&folder, &prefix(&place)).map_err(|error| {
        let error = Error::new(ErrorKind::Io, format!("cannot write into the folder ({error})")).in_file(path);
        error.remedy("check that the folder exists and may be written")
    })?;
    let mut out = BufWriter::with_capacity(1 << 16, aside.reopen().map_err(failed)?);
    fill(&mut out).map_err(|error| error.in_file(path))?;
    let file = out.into_inner().map_err(|error| failed(error.into_error()))?;
    if let Ok(about) = std::fs::metadata(&place) {
        file.set_permissions(about.permissions()).map_err(failed)?;
    }
    file.sync_all().map_err(failed)?;
    aside.persist(&place).map_err(|error| failed(error.error))?;
    // The new name is in the folder, which has to reach the disk too. Not every system can do that.
    _ = File::open(&folder).and_then(|folder| folder.sync_all());
    Ok(())
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

/// Removes what writers of `path` left beside it when they were killed. None may be at work.
pub(crate) fn remove_leftovers(path: &Path) {
    let place = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let prefix = prefix(&place);
    let entries = std::fs::read_dir(folder_of(&place)).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(&prefix)) {
        // What cannot be removed does no harm.
        _ = std::fs::remove_file(entry.path());
    }
}

/// How the names of files begin that will become `place`.
fn prefix(place: &Path) -> String {
    const ENOUGH: usize = 100;
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    format!(".quickset-{}-", name.chars().take(ENOUGH).collect::<String>())
}

fn aside(folder: &Path, prefix: &str) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    // Temporary files are private; this one is to be like any other new file.
    #[cfg(unix)]
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(permissions);
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(path: &Path, text: &str) -> Result<()> {
        write_atomically(path, |out| out.write_all(text.as_bytes()).map_err(|error| Error::io(path, &error)))
    }

    #[test]
    fn a_failure_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.csv");
        put(&path, "old").unwrap();
        let error = write_atomically(&path, |out| {
            out.write_all(&[b'n'; 1 << 20]).unwrap();
            Err(Error::data("in the middle"))
        });
        assert!(error.unwrap_err().to_string().ends_with("x.csv: in the middle"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        put(&path, "new").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
    }

    #[test]
    fn leftovers_of_a_file_are_removed_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        for name in [".quickset-x.csv-abc", ".quickset-y.csv-abc", "x.csv"] {
            std::fs::write(place(name), "").unwrap();
        }
        remove_leftovers(&place("x.csv"));
        let left = [".quickset-x.csv-abc", ".quickset-y.csv-abc", "x.csv"].map(|name| place(name).exists());
        assert_eq!(left, [false, true, true]);
    }

    #[test]
    fn places_that_cannot_be_written_are_a_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let error = put(folder.path(), "x").unwrap_err();
        assert!(error.to_string().contains("this is a directory"), "{error}");
        let error = put(&folder.path().join("none/x.csv"), "x").unwrap_err();
        assert!(error.to_string().contains("check that the folder exists"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn links_pipes_and_permissions_are_kept() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("x"), folder.path().join("link"));
        put(&path, "old").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        put(&link, "new").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        assert!(link.is_symlink());
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        put(Path::new("/dev/null"), "gone").unwrap();
    }
}
