package io.hiroba.knowledge.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.FilePayload;
import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient.Reply;
import io.hiroba.testkit.Browser;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.StringJoiner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server whose models are a {@link FakeModelService}, with people who work with knowledge in their browsers. */
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit starts the server before any test
abstract class KnowledgeBrowser {

    static final String TEA = """
            # Green tea

            Steep green tea at 70 degrees. Water that boils makes it bitter.

            ## Storage

            Keep the leaves dark and dry, away from coffee.
            """;

    @RegisterExtension
    final Browser browser = new Browser();

    final FakeModelService models = new FakeModelService();
    Square square;
    Person mio;

    @BeforeAll
    void open() {
        square = new Square(models.flags(flags()));
        mio = square.person("Mio");
    }

    /** What this class's server is told besides. */
    String[] flags() {
        return new String[0];
    }

    @AfterAll
    void close() {
        square.close();
        models.close();
    }

    /** A text of somebody's as a source, with all its vectors; the answer is its page. */
    String note(Person owner, String title, String content, String... more) {
        var page = noteAtOnce(owner, title, content, more);
        awaitReady(owner, page);
        return page;
    }

    /** As {@link #note}, without waiting for vectors. */
    String noteAtOnce(Person owner, String title, String content, String... more) {
        var fields = new String[more.length + 2];
        fields[0] = "title=" + title;
        fields[1] = "content=" + content;
        System.arraycopy(more, 0, fields, 2, more.length);
        return assertSent(send(owner, "/knowledge/sources/text", fields));
    }

    void awaitReady(Person owner, String page) {
        var source = "/api/v1" + page;
        await().atMost(Duration.ofSeconds(30))
                .until(() -> owner.api().get(source).text("status").equals("completed"));
    }

    void say(Person owner, String session, String role, String content) {
        var said = owner.api()
                .post(
                        "/api/v1/knowledge/sessions/" + session + "/messages",
                        Json.text(Map.of("role", role, "content", content)));
        assertThat(said.status()).as(said.body()).isEqualTo(201);
    }

    /** Sends a form of fields such as {@code title=Tea}, as a browser does. */
    static Reply send(Person person, String path, String... fields) {
        var body = new StringJoiner("&");
        for (var field : fields) {
            int end = field.indexOf('=');
            body.add(encoded(field.substring(0, end)) + "=" + encoded(field.substring(end + 1)));
        }
        return person.api()
                .with("Accept", "text/html")
                .sendAs("application/x-www-form-urlencoded", "POST", path, body.toString());
    }

    static String assertSent(Reply reply) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(303);
        return reply.header("Location");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    static FilePayload file(String name, String text) {
        return new FilePayload(name, "text/plain", text.getBytes(StandardCharsets.UTF_8));
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

    static void assertFits(Page page) {
        var overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assertThat(((Number) overflow).intValue()).as(page.url()).isLessThanOrEqualTo(0);
    }
}
