//! Where bytes come from: a file, perhaps compressed, or standard input.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};

use super::format::Packing;
use crate::error::{Error, ErrorKind, Result};

/// Something that can be read more than once from the beginning, because a reader may have to start over.
pub(super) struct Source {
    name: String,
    packing: Packing,
    input: Input,
}

enum Input {
    Path,
    /// Standard input or a pipe, copied aside: it gives its bytes only once.
    Copied(File),
}

impl Source {
    /// The file `path`.
    pub fn file(path: &str, packing: Packing) -> Result<Self> {
        let about = std::fs::metadata(path).map_err(|error| unreadable(path, &error))?;
        if about.is_dir() {
            return Err(Error::new(ErrorKind::Io, "this is a directory, expected a data file")
                .in_file(path)
                .remedy("name a file inside it"));
        }
        let input = if about.is_file() {
            Input::Path
        } else {
            let pipe = File::open(path).map_err(|error| unreadable(path, &error))?;
            Input::Copied(copied(pipe).map_err(|error| Error::io(path, &error))?)
        };
        Ok(Source { name: path.to_string(), packing, input })
    }

    /// Standard input.
    pub fn standard_input() -> Result<Self> {
        let name = "standard input";
        let file = copied(io::stdin().lock()).map_err(|error| Error::io(name, &error))?;
        Ok(Source { name: name.to_string(), packing: Packing::Plain, input: Input::Copied(file) })
    }

    /// How errors call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of bytes that reading gives, where that is known beforehand.
    pub fn size(&self) -> Option<u64> {
        let about = match &self.input {
            _ if self.packing != Packing::Plain => return None,
            Input::Path => std::fs::metadata(&self.name),
            Input::Copied(file) => file.metadata(),
        };
        about.ok().map(|about| about.len())
    }

    /// A reader from the beginning. It does not buffer what is not compressed: callers read in large pieces.
    pub fn reader(&self) -> Result<Box<dyn Read + Send>> {
        let file = match &self.input {
            Input::Path => File::open(&self.name),
            Input::Copied(file) => file.try_clone().and_then(|mut file| file.rewind().map(|()| file)),
        };
        let file = file.map_err(|error| unreadable(&self.name, &error))?;
        Ok(match self.packing {
            Packing::Plain => Box::new(file),
            Packing::Gzip => Box::new(flate2::read::MultiGzDecoder::new(BufReader::with_capacity(1 << 16, file))),
            Packing::Zstd => Box::new(zstd::Decoder::new(file).map_err(|error| Error::io(&self.name, &error))?),
        })
    }

    /// What a failed read means.
    pub fn failure(&self, error: &io::Error) -> Error {
        let packing = match self.packing {
            Packing::Plain => return Error::io(&self.name, error),
            Packing::Gzip => "gzip",
            Packing::Zstd => "zstd",
        };
        let message = if error.kind() == io::ErrorKind::UnexpectedEof {
            format!("the {packing} data end too early: the file is truncated")
        } else {
            format!("the {packing} data are damaged ({error})")
        };
        Error::new(ErrorKind::Io, message).in_file(&self.name).remedy("fetch or compress the file again")
    }
}

fn copied(mut input: impl Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(&mut input, &mut file)?;
    Ok(file)
}

fn unreadable(path: &str, error: &io::Error) -> Error {
    if error.kind() == io::ErrorKind::NotFound {
        Error::new(ErrorKind::Io, "there is no such file").in_file(path).remedy("check the path")
    } else {
        Error::io(path, error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn all(source: &Source) -> io::Result<String> {
        io::read_to_string(source.reader().unwrap())
    }

    #[test]
    fn what_cannot_be_opened_is_a_sentence() {
        let error = Source::file("/nowhere/x.csv", Packing::Plain).err().unwrap();
        assert_eq!(error.to_string(), "/nowhere/x.csv: there is no such file; check the path");
        let folder = tempfile::tempdir().unwrap();
        let error = Source::file(folder.path().to_str().unwrap(), Packing::Plain).err().unwrap();
        assert!(error.to_string().contains("this is a directory"), "{error}");
    }

    #[test]
    fn compressed_files_read_as_their_contents_and_truncated_ones_fail() {
        let text = "a,b\n".repeat(10_000);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(text.as_bytes()).unwrap();
        let zstd = zstd::encode_all(text.as_bytes(), 1).unwrap();
        for (packing, bytes) in [(Packing::Gzip, gzip.finish().unwrap()), (Packing::Zstd, zstd)] {
            let file = tempfile::NamedTempFile::new().unwrap();
            let source = Source::file(file.path().to_str().unwrap(), packing).unwrap();
            std::fs::write(file.path(), &bytes).unwrap();
            assert_eq!(all(&source).unwrap(), text);
            assert_eq!(all(&source).unwrap(), text, "a source can be read twice");
            std::fs::write(file.path(), &bytes[..bytes.len() / 2]).unwrap();
            let error = source.failure(&all(&source).unwrap_err());
            assert!(error.to_string().contains("truncated; fetch or compress"), "{error}");
            std::fs::write(file.path(), b"neither of them at all, just text").unwrap();
            let error = source.failure(&all(&source).unwrap_err());
            assert!(error.to_string().contains("damaged"), "{error}");
        }
    }

    #[test]
    fn what_is_copied_aside_can_be_read_twice() {
        let input = Input::Copied(copied(&b"x,y"[..]).unwrap());
        let source = Source { name: "standard input".into(), packing: Packing::Plain, input };
        assert_eq!(source.size(), Some(3));
        assert_eq!(all(&source).unwrap(), "x,y");
        assert_eq!(all(&source).unwrap(), "x,y");
    }
}
