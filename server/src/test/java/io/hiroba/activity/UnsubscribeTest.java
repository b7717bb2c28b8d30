package io.hiroba.activity;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.SecretStore;
import io.hiroba.testkit.Browser;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The link in each digest that ends them. */
@Tag("browser")
@SuppressWarnings("NullAway.Init") // JUnit starts the server before any test
class UnsubscribeTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static Square square;
    private static UnsubscribeTokens tokens;

    @RegisterExtension
    final Browser browser = new Browser();

    @BeforeAll
    static void start() {
        square = new Square();
        tokens = new UnsubscribeTokens(new SecretStore(square.server.database().db()));
    }

    @AfterAll
    static void stop() {
        square.close();
    }

    @Test
    void aMailProgramEndsTheDigestWithOneRequestFromAnywhere() {
        var ann = subscriber();
        var token = tokens.write(UserId.parse(ann.id()));
        var answer = send(request(token)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Origin", "https://mail.example")
                .header("Sec-Fetch-Site", "cross-site")
                .POST(BodyPublishers.ofString("List-Unsubscribe=One-Click")));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(digest(ann)).isEqualTo("off");
        assertThat(send(request(token).POST(BodyPublishers.noBody())).statusCode())
                .as("again")
                .isEqualTo(200);
    }

    @Test
    void whatAScannerFetchesChangesNothingAndAPersonPressesAButton() {
        var ann = subscriber();
        var page = browser.open();
        page.navigate(square.server.url() + "/unsubscribe/" + tokens.write(UserId.parse(ann.id())));
        assertThat(digest(ann)).isEqualTo("daily");
        page.getByText("Unsubscribe", new Page.GetByTextOptions().setExact(true))
                .click();
        page.getByText("Unsubscribed", new Page.GetByTextOptions().setExact(true))
                .waitFor();
        assertThat(digest(ann)).isEqualTo("off");
    }

    @Test
    void aLinkThatIsNotOursIsAFriendlyPageAndChangesNothing() {
        var ann = subscriber();
        var token = tokens.write(UserId.parse(ann.id()));
        for (var bad :
                new String[] {"x", token.substring(1), token + "A", forged(token), "A".repeat(32), "-".repeat(32)}) {
            var page = send(request(bad).header("Accept", "text/html").GET());
            assertThat(page.statusCode()).as(bad).isEqualTo(404);
            assertThat(page.body()).contains("This link").contains("Go home");
            assertThat(send(request(bad).POST(BodyPublishers.noBody())).statusCode())
                    .as(bad)
                    .isEqualTo(404);
        }
        assertThat(digest(ann)).isEqualTo("daily");
    }

    @Test
    void aLinkOutlivesItsReader() {
        var token = tokens.write(new UserId(1));
        assertThat(send(request(token).POST(BodyPublishers.noBody())).statusCode())
                .isEqualTo(200);
    }

    @Test
    void aTokenIsOnesOwnAndTheSameOnEveryNode() {
        var other =
                new UnsubscribeTokens(new SecretStore(square.server.database().db()));
        assertThat(other.read(tokens.write(new UserId(7)))).contains(new UserId(7));
        assertThat(tokens.write(new UserId(7))).isNotEqualTo(tokens.write(new UserId(8)));
    }

    /** The same signature for somebody else. */
    private static String forged(String token) {
        var bytes = Base64.getUrlDecoder().decode(token);
        bytes[7] ^= 1;
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static Person subscriber() {
        var person = square.person("Subscriber");
        square.server
                .database()
                .db()
                .useTransaction(tx -> tx.update("""
                INSERT INTO activity.preferences (user_id, digest, next_digest_at)
                VALUES (:user, 'daily', now() + interval '1 day')
                """)
                        .bind("user", UserId.parse(person.id()).value())
                        .execute());
        return person;
    }

    private static String digest(Person person) {
        return square.server
                .database()
                .db()
                .read(reads -> reads.query("SELECT digest FROM activity.preferences WHERE user_id = :user")
                        .bind("user", UserId.parse(person.id()).value())
                        .mapTo(String.class)
                        .one());
    }

    private static HttpRequest.Builder request(String token) {
        return HttpRequest.newBuilder(URI.create(square.server.url() + "/unsubscribe/" + token));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return CLIENT.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
