(() => {
  const form = document.getElementById("filter"), shown = document.getElementById("shown");
  const files = [...document.querySelectorAll("details.file")];
  const rows = new Map(files.map(file => [file, [...file.querySelectorAll("tr[data-on]")]]));
  const filter = () => {
    const text = form.text.value.trim().toLowerCase(), verdict = form.verdict.value, on = form.on.value;
    let count = 0;
    for (const file of files) {
      const fits = row => (!verdict || row.dataset.verdict === verdict) && (!on || row.dataset.on === on);
      const is = file.dataset.text.includes(text) && rows.get(file).some(fits);
      file.hidden = !is;
      count += is;
    }
    for (const group of document.querySelectorAll("section.group"))
      group.hidden = !group.querySelector("details.file:not([hidden])");
    shown.textContent = `${count} of ${files.length} tests shown`;
  };
  const open = () => {
    const at = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (at instanceof HTMLDetailsElement) { at.hidden = false; at.open = true; at.scrollIntoView(); }
  };
  for (const link of document.querySelectorAll(".matrix a"))
    link.addEventListener("click", () => {
      form.on.value = link.dataset.on; form.verdict.value = ""; form.text.value = ""; filter();
    });
  form.addEventListener("input", filter);
  form.addEventListener("reset", () => setTimeout(filter));
  form.addEventListener("submit", event => event.preventDefault());
  form.hidden = false;
  filter();
  addEventListener("hashchange", open);
  open();
})();
