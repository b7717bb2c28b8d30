package io.hiroba.records.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient.Reply;
import io.hiroba.testkit.Browser;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server with people who work with records, in their browsers and by sending the pages' forms. */
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit starts the server before any test
abstract class RecordsDesk {

    @RegisterExtension
    final Browser browser = new Browser();

    Square square;
    Person owner;

    @BeforeAll
    void open() {
        square = new Square();
        owner = square.person("Olive");
    }

    @AfterAll
    void close() {
        square.close();
    }

    /** A project of the owner's; the answer is its address. */
    String project(String name) {
        var made = owner.api().post("/api/v1/projects", Json.text(Map.of("name", name)));
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        return "/records/" + made.text("id");
    }

    /** A project with a schema of products and some of those. */
    String shop(String... products) {
        var shop = project("Shop");
        assertSent(send(
                owner,
                shop + "/-/new-schema",
                "name=product",
                "a0.name=name",
                "a0.type=text",
                "a0.required=true",
                "a1.name=price",
                "a1.type=numeric",
                "a1.min=0",
                "a2.name=status",
                "a2.type=text",
                "a2.enum=draft\nactive",
                "a3.name=made",
                "a3.type=datetime",
                "a4.name=fragile",
                "a4.type=bool"));
        for (var product : products) {
            add(shop, product);
        }
        return shop;
    }

    /** Makes a product of values such as {@code name=Lamp;price=3}; the answer is its address. */
    String add(String shop, String values) {
        var fields = values.split(";");
        for (int i = 0; i < fields.length; i++) {
            fields[i] = "v." + fields[i];
        }
        return assertSent(send(owner, shop + "/product/new", fields));
    }

    /** Sends a form of fields such as {@code name=Lamp}, as a browser does. */
    Reply send(Person person, String path, String... fields) {
        var body = new StringJoiner("&");
        for (var field : fields) {
            int end = field.indexOf('=');
            body.add(encoded(field.substring(0, end)) + "=" + encoded(field.substring(end + 1)));
        }
        return person.api().sendAs("application/x-www-form-urlencoded", "POST", path, body.toString());
    }

    /** Sends the form of a view that shows it as it is. */
    Reply edit(Person person, String view, String... fields) {
        var version = read(person, view + "/edit").select("[name=version]").val();
        return send(
                person,
                view + "/edit",
                Stream.concat(Stream.of("version=" + version), Stream.of(fields))
                        .toArray(String[]::new));
    }

    /** Sends the rules of a form that shows those of now. */
    Reply setRules(Person person, String path, String... fields) {
        return send(
                person,
                path,
                Stream.concat(Stream.of("version=" + rulesVersion(person, path)), Stream.of(fields))
                        .toArray(String[]::new));
    }

    static String rulesVersion(Person person, String path) {
        return read(person, path).select("#rules input[name=version]").val();
    }

    static Document read(Person person, String path) {
        var reply = person.api().get(path);
        assertThat(reply.status()).as(path + reply.body()).isEqualTo(200);
        return Jsoup.parse(reply.body());
    }

    static String assertSent(Reply reply) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(303);
        return reply.header("Location");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Makes somebody a member. */
    Person member(String project, String nickname, String role) {
        var person = square.person(nickname);
        assertSent(send(owner, project + "/-/members", "who=" + person.id(), "role=" + role));
        return person;
    }

    Page at(Person person, String path) {
        return square.visit(browser.open(), person, path);
    }

    void go(Page page, String path) {
        page.navigate(square.server.url() + path);
    }

    static void press(Page page, String button) {
        page.getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions().setName(button).setExact(true))
                .click();
    }

    /** The cell of an attribute in the line of a grid that has {@code text}. */
    static Locator cell(Page page, String text, String attribute) {
        return page.locator("#rows tr", new Page.LocatorOptions().setHasText(text))
                .locator("td[data-attr=" + attribute + "]");
    }

    static Locator input(Page page) {
        return page.locator("td.editing").locator("input:not([type=hidden]), select, textarea");
    }
}
