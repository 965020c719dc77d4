//! The section on the accuracy of devices: for each built-in a bar of the allowed error that it needs.

use tilewise_conformance::device_accuracy::{
    DeviceBuiltin, MeasuredBuiltin, MeasuredDevice, arguments_text, builtins, number, percent, result_text,
};
use tilewise_conformance::page::{HtmlText, escape};

use super::section::ReportSection;

/// The section of measured devices.
pub(crate) fn accuracy_section(devices: &[MeasuredDevice]) -> ReportSection {
    let mut page = HtmlText::default();
    for device in devices {
        device_table(device, &mut page);
    }
    ReportSection {
        id: "accuracy".to_owned(),
        title: "Accuracy of built-in functions".to_owned(),
        intro: "What the driver of a GPU makes of the built-in functions of WGSL. A bar shows how much of the error \
                that WGSL allows is needed at most: a full one is all of it, a red one is beyond. Errors are in units \
                of the last place (ulp): a result within 0.5 is the nearest number."
            .to_owned(),
        html: page.text,
    }
}

fn device_table(device: &MeasuredDevice, page: &mut HtmlText) {
    let broken = device.builtins.iter().filter(|(_, found)| !found.is_kept()).count();
    let (class, word) = match broken {
        0 if device.builtins.is_empty() => ("not-run", "nothing was measured".to_owned()),
        0 => ("pass", "within all promises".to_owned()),
        _ => ("fail", format!("{broken} beyond what is promised")),
    };
    let (name, driver, level) = (escape(&device.name), escape(&device.driver), escape(&device.level));
    page.add(format_args!(
        "<h3>{name} <span class=\"chip {class}\">{word}</span></h3>\n<p>Driver {driver}, level {level}, {} built-ins.</p>\n\
         <div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"accuracy of {name}\"><table class=\"plots\"><thead><tr>\
         <th scope=\"col\">built-in</th><th scope=\"col\">of what WGSL allows</th><th scope=\"col\">largest error</th>\
         <th scope=\"col\" class=\"rule\">promise of WGSL</th><th scope=\"col\" class=\"rule\">at</th></tr></thead><tbody>\n",
        device.builtins.len()
    ));
    let table = builtins();
    for (name, found) in &device.builtins {
        match table.iter().find(|builtin| builtin.label() == name.as_str()) {
            Some(builtin) => row(builtin, found, page),
            // Of another version of this program.
            None => page.add(format_args!("<tr><th scope=\"row\">{}</th><td colspan=\"4\"></td></tr>\n", escape(name))),
        }
    }
    page.add(format_args!("</tbody></table></div>\n"));
}

/// The width of a full bar.
const FULL: f64 = 100.0;

fn row(builtin: &DeviceBuiltin, found: &MeasuredBuiltin, page: &mut HtmlText) {
    let (name, rule) = (escape(&builtin.label()), escape(builtin.wgsl.rule));
    page.add(format_args!("<tr><th scope=\"row\"><code>{name}</code></th><td>"));
    if builtin.wgsl.allowed.is_some() {
        let used = percent(found.used_of_wgsl);
        let width = (found.used_of_wgsl * FULL).clamp(0.0, FULL);
        let class = if found.wgsl.count > 0 { "beyond" } else { "used" };
        page.add(format_args!(
            "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{used} of what is allowed\">\
             <rect class=\"room\" width=\"100\" height=\"10\"/><rect class=\"{class}\" width=\"{width:.1}\" height=\"10\"/></svg> {used}"
        ));
    }
    let error = number(found.largest.size);
    page.add(format_args!("</td><td>{error}</td><td class=\"rule\">{rule}</td><td class=\"rule\">"));
    if !found.is_kept() {
        let (whose, breach) = if found.wgsl.count > 0 { ("WGSL", &found.wgsl) } else { ("Vulkan", &found.vulkan) };
        page.add(format_args!(
            "<span class=\"fail\">{} results beyond {whose}: {} gives {} for {:e}</span>",
            breach.count,
            escape(&arguments_text(builtin, &breach.worst)),
            escape(&result_text(builtin, &breach.worst)),
            breach.worst.exact
        ));
    } else if found.largest.size > 0.0 {
        page.add(format_args!("{}", escape(&arguments_text(builtin, &found.largest))));
    }
    page.add(format_args!("</td></tr>\n"));
}
