package io.hiroba.accounts.pages;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;

/** A person at a browser, who finds elements by their labels. */
record Visitor(Page page, PagesServer server) {

    Visitor go(String path) {
        page.navigate(server.url(path));
        return this;
    }

    Visitor logIn(String email) {
        return go("/login").fillInLogIn(email, PagesServer.PASSWORD);
    }

    Visitor fillInLogIn(String email, String password) {
        return fill("E-mail", email).fill("Password", password).press("Log in");
    }

    Visitor fill(String label, String text) {
        field(label).fill(text);
        return this;
    }

    Visitor press(String button) {
        button(button).click();
        return this;
    }

    /** Goes where {@code link} leads, and waits until it is there: both pages may have a field of the same name. */
    Visitor follow(String link) {
        var before = page.url();
        link(link).click();
        page.waitForURL(url -> !url.equals(before));
        return this;
    }

    Locator field(String label) {
        return page.getByLabel(label, new Page.GetByLabelOptions().setExact(true));
    }

    Locator button(String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    Locator link(String name) {
        return page.getByRole(
                AriaRole.LINK, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    Locator heading(String name) {
        return page.getByRole(
                AriaRole.HEADING, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    /** The nickname of whoever is signed in, as the navigation shows it. */
    Locator self() {
        return page.locator(".account-nav .profile-link strong").first();
    }

    Locator alert() {
        return page.getByRole(AriaRole.ALERT);
    }

    Locator toast() {
        return page.locator("#toasts");
    }
}
