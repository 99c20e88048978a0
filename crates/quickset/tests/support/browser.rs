//! Chromium without a window, driven through chromedriver by the WebDriver protocol: a request a command, JSON both ways.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Value, json};

use super::skip::skip;

/// A browser with one page, ended with the value.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    // What the browser writes down goes with it.
    _profile: tempfile::TempDir,
}

impl Browser {
    /// A new browser, or `None` after noting that `test` is skipped because there is none on this machine.
    pub fn start(test: &str) -> Option<Browser> {
        let Some(chromium) = found("chromium") else {
            skip(test, "chromium is absent (make browser)");
            return None;
        };
        // The driver chooses a free port and says which.
        let driver = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let Ok(mut driver) = driver else {
            skip(test, "chromedriver is absent (make browser)");
            return None;
        };
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines.by_ref().find_map(|line| port_in(&line.unwrap())).expect("chromedriver says its port");
        // Someone must listen, or the driver would stop when nobody takes what it says.
        std::thread::spawn(move || lines.for_each(drop));

        let profile = tempfile::tempdir().unwrap();
        let mut browser = Browser { driver, port, session: String::new(), _profile: profile };
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
        ];
        let profile = format!("--user-data-dir={}", browser._profile.path().display());
        let arguments: Vec<&str> = arguments.into_iter().chain([profile.as_str()]).collect();
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"binary": chromium, "args": arguments},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }}});
        let answer = browser.request("POST", "/session", &wanted);
        browser.session = answer["sessionId"].as_str().expect("a session has a name").to_string();
        Some(browser)
    }

    /// Opens a file and waits until it is there.
    pub fn open(&self, file: &Path) {
        self.command("url", &json!({"url": format!("file://{}", file.display())}));
    }

    /// What a script returns that is run in the page.
    pub fn run(&self, script: &str) -> Value {
        self.command("execute/sync", &json!({"script": script, "args": []}))
    }

    /// Presses the element that a CSS selector finds.
    pub fn click(&self, selector: &str) {
        self.command(&format!("element/{}/click", self.element(selector)), &json!({}));
    }

    /// Types keys into the element that has the focus after `selector` got it.
    pub fn press(&self, selector: &str, keys: &str) {
        self.command(&format!("element/{}/value", self.element(selector)), &json!({"text": keys}));
    }

    /// Gives the page a screen of this size.
    pub fn screen(&self, width: u32, height: u32) {
        let screen = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.devtools("Emulation.setDeviceMetricsOverride", &screen);
    }

    /// Shows the page as a reader with a `light` or `dark` screen sees it, or as it is printed.
    pub fn look(&self, scheme: &str, print: bool) {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        let media = if print { "print" } else { "screen" };
        self.devtools("Emulation.setEmulatedMedia", &json!({"media": media, "features": features}));
    }

    /// What the console said since it was last asked.
    pub fn console(&self) -> Vec<String> {
        self.log("browser").iter().map(|entry| entry["message"].as_str().unwrap_or_default().to_string()).collect()
    }

    /// The addresses that the page asked for since this was last asked, itself among them.
    pub fn requests(&self, page: &Path) -> Vec<String> {
        let page = format!("file://{}", page.display());
        let address = |entry: &Value| {
            let event: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
            let event = &event["message"];
            // The browser's own first page asks for much.
            (event["method"] == "Network.requestWillBeSent" && event["params"]["documentURL"] == page)
                .then(|| event["params"]["request"]["url"].as_str().unwrap_or_default().to_string())
        };
        self.log("performance").iter().filter_map(address).collect()
    }

    /// The whole page as an image.
    pub fn screenshot(&self, file: &Path) {
        let image = self.devtools("Page.captureScreenshot", &json!({"captureBeyondViewport": true}));
        std::fs::write(file, BASE64_STANDARD.decode(image["data"].as_str().unwrap()).unwrap()).unwrap();
    }

    /// The page as it is printed.
    pub fn pdf(&self, file: &Path) {
        let document = self.command("print", &json!({"background": false}));
        std::fs::write(file, BASE64_STANDARD.decode(document.as_str().unwrap()).unwrap()).unwrap();
    }

    fn element(&self, selector: &str) -> String {
        let found = self.command("element", &json!({"using": "css selector", "value": selector}));
        let (_, id) = found.as_object().and_then(|object| object.iter().next()).expect("an element has an id");
        id.as_str().unwrap().to_string()
    }

    fn devtools(&self, name: &str, parameters: &Value) -> Value {
        self.command("goog/cdp/execute", &json!({"cmd": name, "params": parameters}))
    }

    fn log(&self, kind: &str) -> Vec<Value> {
        self.command("se/log", &json!({"type": kind})).as_array().cloned().unwrap_or_default()
    }

    fn command(&self, name: &str, body: &Value) -> Value {
        self.request("POST", &format!("/session/{}/{name}", self.session), body)
    }

    /// Sends a request and gives the value of its answer; what the driver refuses fails the test.
    fn request(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        let body = body.to_string();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n",
            self.port,
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        let mut answer = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            answer.read_line(&mut line).unwrap();
            match line.trim().to_ascii_lowercase().split_once(':') {
                Some(("content-length", value)) => length = value.trim().parse().unwrap(),
                _ if line.trim().is_empty() => break,
                _ => {}
            }
        }
        let mut text = vec![0; length];
        answer.read_exact(&mut text).unwrap();
        let value = serde_json::from_slice::<Value>(&text).unwrap()["value"].take();
        assert!(value.get("error").is_none(), "{method} {path}: {}", value["message"]);
        value
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Only the driver can end its browser. After a failure it may not answer any more: the test has failed then, and
        // a second panic would hide why.
        if !self.session.is_empty() {
            let end = || self.request("DELETE", &format!("/session/{}", self.session), &json!({}));
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(end));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Where a program is on the search path.
fn found(program: &str) -> Option<String> {
    let path = std::env::var_os("PATH")?;
    let place = std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())?;
    Some(place.display().to_string())
}

/// The port in `ChromeDriver was started successfully on port 40123.`
fn port_in(line: &str) -> Option<u16> {
    line.split_once("successfully on port ")?.1.trim().trim_end_matches('.').parse().ok()
}
