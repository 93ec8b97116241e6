//! Number formats and time zones: what the JDK takes from its locale and zone data.
//!
//! Finding locale data takes the JDK a long way, through adapters, bundles and caches. Numbers as in
//! English, which nearly all programs print, take a short cut here; for other locales the JDK's own
//! code runs. The time zone is UTC.

use super::{Native, Reason, Reply, answer, contents, int, local, object, reference, word};
use crate::dynamic::Body;
use crate::machine::{Machine, Trap};
use crate::memory::Reference;

const SYMBOLS: &str = "java/text/DecimalFormatSymbols";
const NUMBER_FORMAT: &str = "java/text/NumberFormat";

pub(super) static NATIVES: &[Native] = &[
    local(Reason::MakesNew, "java/util/TimeZone", "setDefaultZone", "*", set_default_zone),
    local(Reason::MakesNew, SYMBOLS, "initialize", "(Ljava/util/Locale;)V", initialize_symbols),
    contents(SYMBOLS, "initializeCurrency", "*", initialize_currency),
    local(
        Reason::MakesNew,
        SYMBOLS,
        "getInstance",
        "(Ljava/util/Locale;)Ljava/text/DecimalFormatSymbols;",
        get_symbols,
    ),
    local(
        Reason::MakesNew,
        NUMBER_FORMAT,
        "getInstance",
        "(Ljava/util/Locale;Ljava/text/NumberFormat$Style;I)Ljava/text/NumberFormat;",
        get_number_format,
    ),
];

const CHARACTERS: &[(&str, char)] = &[
    ("zeroDigit", '0'),
    ("groupingSeparator", ','),
    ("decimalSeparator", '.'),
    ("perMill", '\u{2030}'),
    ("percent", '%'),
    ("digit", '#'),
    ("patternSeparator", ';'),
    ("minusSign", '-'),
    ("monetarySeparator", '.'),
    ("monetaryGroupingSeparator", ','),
    ("exponential", 'E'),
];

const TEXTS: &[(&str, &str)] = &[
    ("infinity", "\u{221E}"),
    ("NaN", "NaN"),
    ("exponentialSeparator", "E"),
    ("perMillText", "\u{2030}"),
    ("percentText", "%"),
    ("minusSignText", "-"),
];

fn set_text(
    machine: &mut Machine,
    target: Reference,
    field: &'static str,
    text: &str,
) -> Result<(), Trap> {
    let string = machine.literal_text(text)?;
    machine.set_field(target, field, string.0)?;
    Ok(())
}

/// Whether amounts of money are written as in the United States for a locale.
fn is_us(machine: &mut Machine, locale: Reference) -> Result<bool, Trap> {
    if locale.is_null() {
        return Ok(false);
    }
    let name = machine.call_virtual(locale, "toString", "()Ljava/lang/String;", &[])?;
    Ok(machine.text(Reference(name))? == "en_US")
}

/// Whether numbers are written as in English for a locale: the JDK's own data are not needed.
fn is_english(machine: &mut Machine, locale: Reference) -> Result<bool, Trap> {
    if locale.is_null() {
        return Ok(true);
    }
    let name = machine.call_virtual(locale, "toString", "()Ljava/lang/String;", &[])?;
    let name = machine.text(Reference(name))?;
    Ok(matches!(name.as_str(), "" | "en" | "en_US" | "en_GB"))
}

fn initialize_symbols(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let symbols = object(arguments, 0)?;
    if !is_english(machine, reference(arguments, 1))? {
        return Ok(Reply::Decline);
    }
    machine.set_field(symbols, "locale", word(arguments, 1))?;
    for (field, character) in CHARACTERS {
        machine.set_field(symbols, field, *character as u64)?;
    }
    for (field, text) in TEXTS {
        set_text(machine, symbols, field, text)?;
    }
    Ok(Reply::Void)
}

fn initialize_currency(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let symbols = object(arguments, 0)?;
    let reached = machine.is_reached(symbols);
    let locale = match reference(arguments, 1).non_null() {
        Some(locale) => locale,
        None if reached => return Ok(Reply::Decline),
        None => Reference(machine.get_field(symbols, "locale")?),
    };
    if !is_us(machine, locale)? {
        return Ok(Reply::Decline);
    }
    if reached {
        return machine.in_sight(Body::Currency, &[symbols.0]);
    }
    if machine.get_field(symbols, "currencyInitialized")? == 0 {
        set_text(machine, symbols, "intlCurrencySymbol", "USD")?;
        set_text(machine, symbols, "currencySymbol", "$")?;
        machine.set_field(symbols, "currencyInitialized", 1)?;
    }
    Ok(Reply::Void)
}

fn get_symbols(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if !is_english(machine, reference(arguments, 0))? {
        return Ok(Reply::Decline);
    }
    let symbols =
        machine.construct(SYMBOLS, "(Ljava/util/Locale;)V", &[reference(arguments, 0).0])?;
    answer(symbols)
}

fn get_number_format(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    const NUMBER: i32 = 0;
    const CURRENCY: i32 = 1;
    const PERCENT: i32 = 2;
    const INTEGER: i32 = 4;
    let choice = int(arguments, 2);
    let locale = reference(arguments, 0);
    let known = match choice {
        CURRENCY => is_us(machine, locale)?,
        PERCENT | INTEGER | NUMBER => is_english(machine, locale)?,
        _ => false,
    };
    if !known {
        return Ok(Reply::Decline);
    }
    let pattern = match choice {
        CURRENCY => "\u{A4}#,##0.00",
        PERCENT => "#,##0%",
        INTEGER => "#,##0",
        _ => "#,##0.###",
    };
    let symbols =
        machine.construct(SYMBOLS, "(Ljava/util/Locale;)V", &[reference(arguments, 0).0])?;
    let pattern = machine.literal_text(pattern)?;
    let descriptor = "(Ljava/lang/String;Ljava/text/DecimalFormatSymbols;)V";
    let format =
        machine.construct("java/text/DecimalFormat", descriptor, &[pattern.0, symbols.0])?;
    if choice == INTEGER {
        machine.set_field(format, "parseIntegerOnly", 1)?;
    }
    answer(format)
}

fn set_default_zone(machine: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    let class = machine.load_class("java/util/TimeZone")?;
    let (mirror, at) = machine.static_place(class, "defaultTimeZone")?;
    let name = machine.literal_text("UTC")?;
    // The same zone in all executions, whoever needs it first.
    let zone = machine.permanently(|machine| {
        let class = "sun/util/calendar/ZoneInfo";
        let zone = machine.construct(class, "(Ljava/lang/String;I)V", &[name.0, 0])?;
        machine.publish(zone)?;
        machine.store(mirror, at, zone.0)?;
        Ok(zone)
    })?;
    answer(zone)
}
