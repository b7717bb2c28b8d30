package io.hiroba.social.pages;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.hiroba.testkit.Square.Person;
import io.hiroba.testkit.SquarePages;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

/** Browsers of people on a square. */
abstract class SocialPagesTest extends SquarePages {

    Page at(Page page, Person person, String path) {
        return square.visit(page, person, path);
    }

    /** A page as the server sends it, for what needs no script. */
    static Document html(Person person, String path) {
        return Jsoup.parse(person.api().get(path).body());
    }

    static Locator posts(Page page) {
        return page.locator("#items > li:not(.more) > article");
    }

    static Locator post(Page page, String id) {
        return page.locator("#post-" + id);
    }

    static Locator text(Page page) {
        return page.locator(".composer textarea");
    }
}
