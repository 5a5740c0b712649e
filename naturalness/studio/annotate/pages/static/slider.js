// The slider: no rating is chosen until the rater moves it.

export class Slider {
  constructor(range, sender, rate) {
    this.range = range;
    this.sender = sender;
    this.rate = rate;
    this.low = Number(range.min);
    this.high = Number(range.max);
    range.addEventListener("input", () => this.chosen(true));
    // A click in the middle does not change the value, but still counts as a choice.
    range.addEventListener("pointerup", () => this.chosen(true));
    sender.addEventListener("click", () => this.send());
  }

  start(value) {
    this.range.value = String(value ?? (this.low + this.high) / 2);
    this.chosen(value !== null);
  }

  chosen(is) {
    this.is = is;
    this.range.classList.toggle("unset", !is);
    this.sender.setAttribute("aria-disabled", String(!is));
    document.getElementById("slider-value").textContent = is ? this.range.value : "–";
    this.range.setAttribute("aria-valuetext", is ? this.range.value : "nothing chosen yet");
  }

  put(value) {
    this.range.value = String(value);
    this.chosen(true);
  }

  jump(tenths) {
    this.put(this.low + (tenths / 10) * (this.high - this.low));
  }

  move(step) {
    this.put(Number(this.range.value) + (step * (this.high - this.low)) / 100);
  }

  send() {
    if (this.is) this.rate(Number(this.range.value));
  }
}
