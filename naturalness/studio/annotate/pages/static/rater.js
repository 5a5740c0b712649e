// Send the name of the rater; the server stores it in a cookie.

import { Server } from "./calling.js";

const told = document.getElementById("refused");

async function enter(name) {
  told.textContent = "";
  try {
    await new Server().post("/api/rater", { name });
    location.assign("/");
  } catch (error) {
    told.textContent = error.message;
  }
}

document.getElementById("enter").addEventListener("submit", (event) => {
  event.preventDefault();
  enter(document.getElementById("name").value);
});
for (const button of document.querySelectorAll("[data-name]")) {
  button.addEventListener("click", () => enter(button.dataset.name));
}
