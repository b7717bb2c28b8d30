"use strict";

// Passkeys: a form with data-passkey fetches its challenge there, lets the browser answer it, and sends the answer. Without this
// file, or in a browser without passkeys, such forms stay hidden.
(() => {
  if (!window.PublicKeyCredential?.parseRequestOptionsFromJSON) return;

  const show = () => {
    document.querySelectorAll("form[data-passkey][hidden]").forEach((form) => { form.hidden = false; });
    document.querySelectorAll("[data-passkey-missing]").forEach((hint) => { hint.hidden = true; });
  };
  document.addEventListener("htmx:afterSettle", show);
  document.addEventListener("DOMContentLoaded", show);

  const say = (message) => document.dispatchEvent(new CustomEvent("toast", { detail: { message } }));

  const challenge = async (form) => {
    const answer = await fetch(form.dataset.passkey, { method: "POST", headers: { Accept: "application/json" } });
    const body = await answer.json();
    if (!answer.ok) throw Object.assign(new Error("refused"), { detail: body.detail });
    return { id: body.id, options: JSON.parse(body.options).publicKey };
  };

  const credential = (form, options) => ("passkeyNew" in form.dataset
    ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }));

  // Browsers say with these names that the person declined or took too long, that the authenticator holds a passkey of the account
  // already, and that the page was opened at another address than that of the site.
  const reasons = { NotAllowedError: "declined", InvalidStateError: "known", SecurityError: "address" };

  const answer = async (form) => {
    const { challenge: id, credential: field } = form.elements;
    const button = form.querySelector("button");
    button.disabled = true;
    try {
      const { id: asked, options } = await challenge(form);
      field.value = JSON.stringify((await credential(form, options)).toJSON());
      id.value = asked;
      form.requestSubmit();
    } catch (error) {
      say(error.detail ?? hirobaText(`accounts.script.passkey-${reasons[error.name] ?? "failed"}`));
    } finally {
      button.disabled = false;
    }
  };

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("form[data-passkey]") || form.elements.credential.value) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    answer(form);
  }, true);

  // The answer is good for one try.
  document.addEventListener("htmx:afterRequest", ({ target }) => {
    if (target.matches?.("form[data-passkey]")) target.elements.credential.value = "";
  });
})();
