// Whether a sentence is on the screen, so that no key rates one that nobody sees, and how it gets there.

export const rates = (action) => action.startsWith("value:") || ["skip", "send", "lower", "higher"].includes(action);

// All of it, or half of the box in which a long one scrolls.
function isSeen(sentence) {
  const [own, frame] = [sentence, sentence.parentElement].map((box) => box.getBoundingClientRect());
  const shown = Math.min(own.bottom, frame.bottom, innerHeight) - Math.max(own.top, frame.top, 0);
  return shown >= Math.min(own.height, frame.height / 2) - 1;
}

// The buttons first: where there is no room for both, the sentence is what remains.
export function reveal(sentence) {
  [...document.querySelectorAll(".values, .values + .ends")].at(-1).scrollIntoView({ block: "nearest" });
  sentence.parentElement.scrollIntoView({ block: "nearest" });
  if (!isSeen(sentence)) sentence.scrollIntoView({ block: "nearest" });
}

// What a key does: nothing to a sentence that is off the screen, but to bring it back.
export function onSeen(sentence, act, say) {
  return (action) => {
    if (!(rates(action) || action === "mark") || isSeen(sentence)) {
      act(action);
    } else {
      reveal(sentence);
      say("The sentence was not in view. Press the key again.");
    }
  };
}
