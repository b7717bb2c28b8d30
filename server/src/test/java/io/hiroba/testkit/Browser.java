package io.hiroba.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.PlaywrightException;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.WebError;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A real browser for a test, with a profile that nobody has used, or that has been emptied. A test that passes by its own
 * measure still fails if the browser complained on its console, refused something by the content security policy, or could
 * not load something; one that fails leaves a screenshot in {@code target/screenshots}.
 */
public final class Browser implements AfterEachCallback {

    private static final int WIDE = 1200;
    private static final int HIGH = 800;
    private static final double TIMEOUT_MS = 30_000;

    static {
        PlaywrightAssertions.setDefaultAssertionTimeout(TIMEOUT_MS);
    }

    private final List<String> complaints = new ArrayList<>();
    private final Set<Integer> expectedStatuses = new TreeSet<>();
    private final List<BrowserContext> contexts = new ArrayList<>();
    private final List<Page> reusable = new ArrayList<>();
    private final Consumer<ConsoleMessage> console = this::heard;
    private final Consumer<Request> failures = this::failed;
    private final Consumer<WebError> errors = error -> complaints.add("script error: " + error.error());
    private boolean discarding;
    private @Nullable Chromium borrowed;
    private @Nullable Page latest;

    /** A page in an empty profile, as on a desktop. */
    public Page open() {
        var page = chromium().reuse().orElseGet(() -> newPage(options -> options.setViewportSize(WIDE, HIGH)));
        reusable.add(page);
        return listening(page);
    }

    /** A page in a fresh profile, as on a small phone. */
    public Page openPhone() {
        return open(
                options -> options.setViewportSize(360, 740).setIsMobile(true).setHasTouch(true));
    }

    /** A page in a fresh profile that runs no scripts. */
    public Page openWithoutScripts() {
        return open(options -> options.setViewportSize(WIDE, HIGH).setJavaScriptEnabled(false));
    }

    public Page open(Consumer<com.microsoft.playwright.Browser.NewContextOptions> settings) {
        var page = newPage(settings);
        contexts.add(page.context());
        return listening(page);
    }

    private Page newPage(Consumer<com.microsoft.playwright.Browser.NewContextOptions> settings) {
        var options = new com.microsoft.playwright.Browser.NewContextOptions()
                .setTimezoneId(ZoneId.systemDefault().getId());
        settings.accept(options);
        var context = chromium().newContext(options);
        context.setDefaultTimeout(TIMEOUT_MS);
        return context.newPage();
    }

    private Page listening(Page page) {
        var context = page.context();
        context.onConsoleMessage(console);
        context.onRequestFailed(failures);
        context.onWebError(errors);
        latest = page;
        return page;
    }

    private Chromium chromium() {
        var chromium = borrowed;
        if (chromium == null) {
            chromium = Chromium.borrow();
            borrowed = chromium;
        }
        return chromium;
    }

    /** Lets no other test use the pages of this one: it changes what cannot be emptied, such as who answers dialogs. */
    public void discard() {
        discarding = true;
    }

    /** Answers with this status are what the test is about: the browser may note them on its console. */
    public Browser expecting(int... statuses) {
        for (var status : statuses) {
            expectedStatuses.add(status);
        }
        return this;
    }

    @Override
    public void afterEach(ExtensionContext test) {
        try {
            if (test.getExecutionException().isPresent()) {
                discard();
                screenshot(test);
            } else {
                assertThat(complaints).as("what the browser complained about").isEmpty();
            }
        } finally {
            reusable.forEach(this::giveBack);
            reusable.clear();
            contexts.forEach(BrowserContext::close);
            contexts.clear();
            complaints.clear();
            expectedStatuses.clear();
            discarding = false;
            latest = null;
            if (borrowed != null) {
                borrowed.release();
                borrowed = null;
            }
        }
    }

    private void giveBack(Page page) {
        var context = page.context();
        try {
            if (discarding || !context.pages().equals(List.of(page)) || !empty(page)) {
                context.close();
                return;
            }
        } catch (PlaywrightException e) {
            context.close();
            return;
        }
        context.offConsoleMessage(console);
        context.offRequestFailed(failures);
        context.offWebError(errors);
        chromium().keep(page);
    }

    /** Leaves nothing of a test in the profile but copies of files that may be cached. */
    private static boolean empty(Page page) {
        if (page.url().startsWith("http")) {
            page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }");
        }
        page.unrouteAll();
        page.setViewportSize(WIDE, HIGH);
        page.navigate(Chromium.EMPTY_PAGE);
        page.context().clearCookies();
        return page.url().equals(Chromium.EMPTY_PAGE);
    }

    private void screenshot(ExtensionContext test) {
        if (latest != null) {
            var name = test.getRequiredTestClass().getSimpleName() + "."
                    + test.getRequiredTestMethod().getName() + ".png";
            var path = Path.of("target", "screenshots", name);
            Objects.requireNonNull(latest)
                    .screenshot(new Page.ScreenshotOptions().setPath(path).setFullPage(true));
        }
    }

    private void heard(ConsoleMessage message) {
        boolean bad = message.type().equals("error") || message.type().equals("warning");
        boolean expected = expectedStatuses.stream()
                .anyMatch(status -> message.text().contains("responded with a status of " + status + " "));
        if (bad && !expected) {
            complaints.add(message.type() + ": " + message.text() + " at " + message.location());
        }
    }

    /** What a page leaves unfinished when it is left is no failure. */
    private void failed(Request request) {
        if (!Objects.equals(request.failure(), "net::ERR_ABORTED")) {
            complaints.add(request.method() + " " + request.url() + " failed: " + request.failure());
        }
    }
}
