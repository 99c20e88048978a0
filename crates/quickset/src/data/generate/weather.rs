//! The weather table of fourteen days (Quinlan 1986, and with numbers 1993), as Weka ships it.

use super::nominal;
use crate::data::Column;

const OUTLOOK: [&str; 3] = ["sunny", "overcast", "rainy"];
const TEMPERATURE: [&str; 3] = ["hot", "mild", "cool"];
const HUMIDITY: [&str; 2] = ["high", "normal"];
const WINDY: [&str; 2] = ["TRUE", "FALSE"];
const PLAY: [&str; 2] = ["yes", "no"];

/// A day: outlook, temperature and humidity each as a number and as a level, windy, play.
type Day = (&'static str, f64, &'static str, f64, &'static str, &'static str, &'static str);

const DAYS: [Day; 14] = [
    ("sunny", 85.0, "hot", 85.0, "high", "FALSE", "no"),
    ("sunny", 80.0, "hot", 90.0, "high", "TRUE", "no"),
    ("overcast", 83.0, "hot", 86.0, "high", "FALSE", "yes"),
    ("rainy", 70.0, "mild", 96.0, "high", "FALSE", "yes"),
    ("rainy", 68.0, "cool", 80.0, "normal", "FALSE", "yes"),
    ("rainy", 65.0, "cool", 70.0, "normal", "TRUE", "no"),
    ("overcast", 64.0, "cool", 65.0, "normal", "TRUE", "yes"),
    ("sunny", 72.0, "mild", 95.0, "high", "FALSE", "no"),
    ("sunny", 69.0, "cool", 70.0, "normal", "FALSE", "yes"),
    ("rainy", 75.0, "mild", 80.0, "normal", "FALSE", "yes"),
    ("sunny", 75.0, "mild", 70.0, "normal", "TRUE", "yes"),
    ("overcast", 72.0, "mild", 90.0, "high", "TRUE", "yes"),
    ("overcast", 81.0, "hot", 75.0, "normal", "FALSE", "yes"),
    ("rainy", 71.0, "mild", 91.0, "high", "TRUE", "no"),
];

/// Temperature and humidity as numbers.
pub(super) fn numeric_weather() -> Vec<Column> {
    vec![
        levels("outlook", &OUTLOOK, |day| day.0),
        Column::numeric("temperature", DAYS.iter().map(|day| day.1).collect()),
        Column::numeric("humidity", DAYS.iter().map(|day| day.3).collect()),
        levels("windy", &WINDY, |day| day.5),
        levels("play", &PLAY, |day| day.6),
    ]
}

/// Temperature and humidity as levels.
pub(super) fn nominal_weather() -> Vec<Column> {
    vec![
        levels("outlook", &OUTLOOK, |day| day.0),
        levels("temperature", &TEMPERATURE, |day| day.2),
        levels("humidity", &HUMIDITY, |day| day.4),
        levels("windy", &WINDY, |day| day.5),
        levels("play", &PLAY, |day| day.6),
    ]
}

fn levels(name: &str, declared: &[&str], of: impl Fn(&Day) -> &'static str) -> Column {
    let code = |level| declared.iter().position(|&known| known == level).expect("the days use declared levels") as u32;
    nominal(name, declared, DAYS.iter().map(|day| code(of(day))).collect())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{levels_of, text};
    use crate::data::generate::builtin;

    #[test]
    fn the_rows_are_the_published_ones() {
        let data = builtin("weather").unwrap();
        let names: Vec<&str> = data.attributes().iter().map(|column| column.name()).collect();
        assert_eq!(names, ["outlook", "temperature", "humidity", "windy", "play"]);
        let rows: Vec<String> = (0..data.rows())
            .map(|row| {
                let cell = |at: usize| text(&data.attributes()[at], row);
                format!("{}{},{},{},{}", cell(0), cell(1), cell(2), &cell(3)[..1], cell(4))
            })
            .collect();
        assert_eq!(
            rows.join("; "),
            "sunny85,85,F,no; sunny80,90,T,no; overcast83,86,F,yes; rainy70,96,F,yes; rainy68,80,F,yes; \
             rainy65,70,T,no; overcast64,65,T,yes; sunny72,95,F,no; sunny69,70,F,yes; rainy75,80,F,yes; \
             sunny75,70,T,yes; overcast72,90,T,yes; overcast81,75,F,yes; rainy71,91,T,no"
        );
    }

    #[test]
    fn the_nominal_rows_are_the_published_ones() {
        let data = builtin("weather-nominal").unwrap();
        let column = |at: usize| (0..14).map(|row| text(&data.attributes()[at], row)).collect::<Vec<_>>().join(" ");
        assert_eq!(column(1), "hot hot hot mild cool cool cool mild cool mild mild mild hot mild");
        assert_eq!(column(2), "high high high high normal normal normal high normal normal normal high normal high");
        assert_eq!(levels_of(&data, 0), ["sunny", "overcast", "rainy"]);
        assert_eq!(levels_of(&data, 3), ["TRUE", "FALSE"]);
        assert_eq!(levels_of(&data, 4), ["yes", "no"]);
    }
}
