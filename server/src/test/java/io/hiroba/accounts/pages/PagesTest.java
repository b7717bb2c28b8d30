package io.hiroba.accounts.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import io.hiroba.testkit.Browser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A browser in front of a server, for the tests of the pages. */
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit starts the server before any test
abstract class PagesTest {

    @RegisterExtension
    final Browser browser = new Browser();

    PagesServer server;

    @BeforeAll
    void start() {
        server = new PagesServer();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    Visitor visitor() {
        return new Visitor(browser.open(), server);
    }

    /** Somebody who has an account and is signed in. */
    Visitor member(String nickname) {
        var visitor = visitor().logIn(server.user(nickname));
        assertThat(visitor.self()).hasText(nickname);
        return visitor;
    }
}
