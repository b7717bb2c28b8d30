package io.hiroba.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
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
 * A real browser for a test, with a profile of its own a test. A test that passes by its own measure still fails if the
 * browser complained on its console, refused something by the content security policy, or could not load something; one
 * that fails leaves a screenshot in {@code target/screenshots}.
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
    private @Nullable Chromium borrowed;
    private @Nullable Page latest;

    /** A page in a fresh profile, as on a desktop. */
    public Page open() {
        return open(options -> options.setViewportSize(WIDE, HIGH));
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
        var options = new com.microsoft.playwright.Browser.NewContextOptions()
                .setTimezoneId(ZoneId.systemDefault().getId());
        settings.accept(options);
        var chromium = borrowed;
        if (chromium == null) {
            chromium = Chromium.borrow();
            borrowed = chromium;
        }
        var context = chromium.newContext(options);
        contexts.add(context);
        context.setDefaultTimeout(TIMEOUT_MS);
        context.onConsoleMessage(this::heard);
        context.onRequestFailed(this::failed);
        context.onWebError(error -> complaints.add("script error: " + error.error()));
        latest = context.newPage();
        return latest;
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
                screenshot(test);
            } else {
                assertThat(complaints).as("what the browser complained about").isEmpty();
            }
        } finally {
            contexts.forEach(BrowserContext::close);
            contexts.clear();
            complaints.clear();
            expectedStatuses.clear();
            latest = null;
            if (borrowed != null) {
                borrowed.release();
                borrowed = null;
            }
        }
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
