package io.hiroba.testkit;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/**
 * A browser process, which the system provides: none is ever downloaded. Its driver may be called by one thread at a time
 * only, so a test borrows it; as many run as tests use one side by side.
 */
final class Chromium {

    // The one without windows needs little more than half the processor time of the others.
    private static final List<String> NAMES =
            List.of("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
    // The sandbox does not start for root; the rest keeps the browser from talking to anybody but us.
    private static final List<String> FLAGS = List.of(
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync");

    /** Where pages wait for the next test: on the servers' host, since for any other the browser starts a new process. */
    static final String EMPTY_PAGE = TestHttpService.start((asked, exchange) -> {
                        exchange.getResponseHeaders().set("Content-Type", "text/html");
                        TestHttpService.reply(exchange, 200, "<!doctype html>");
                    })
                    .url()
            + "/";

    private static final Queue<Chromium> IDLE = new ConcurrentLinkedQueue<>();

    private final com.microsoft.playwright.Browser browser;
    private final Deque<Page> kept = new ArrayDeque<>();

    private Chromium(com.microsoft.playwright.Browser browser) {
        this.browser = browser;
    }

    /** A browser for this thread alone, until it is released. */
    static Chromium borrow() {
        var idle = IDLE.poll();
        return idle == null ? start() : idle;
    }

    void release() {
        IDLE.add(this);
    }

    BrowserContext newContext(com.microsoft.playwright.Browser.NewContextOptions options) {
        return browser.newContext(options);
    }

    /** A page that an earlier test was done with. A new one is a new process, and its first page costs three times as much. */
    Optional<Page> reuse() {
        return Optional.ofNullable(kept.poll());
    }

    /** Keeps a page for a later test, which finds nothing of this one's in it. */
    void keep(Page page) {
        kept.push(page);
    }

    private static Chromium start() {
        var executable = find();
        var environment = new HashMap<>(System.getenv());
        environment.put("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
        var playwright = Playwright.create(new Playwright.CreateOptions().setEnv(environment));
        Runtime.getRuntime().addShutdownHook(new Thread(playwright::close));
        return new Chromium(playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(executable)
                        .setHeadless(true)
                        .setArgs(FLAGS)
                        .setIgnoreDefaultArgs(needless())));
    }

    /** Playwright keeps what the processes share in files below /tmp, each a file on a disk, unless it is told not to. */
    private static List<String> needless() {
        return Scratch.isInMemory() ? List.of("--disable-dev-shm-usage") : List.of();
    }

    private static Path find() {
        var named = System.getenv("HIROBA_BROWSER");
        if (named != null && !named.isBlank()) {
            return Path.of(named);
        }
        return onPath().orElseThrow(
                        () -> new IllegalStateException("No browser found for the tests of the pages: install"
                                + " Chromium (on Debian: apt-get install chromium), or set HIROBA_BROWSER to the path of a Chromium"
                                + " or Chrome."));
    }

    private static Optional<Path> onPath() {
        var path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return NAMES.stream()
                .flatMap(name -> Stream.of(path.split(File.pathSeparator)).map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
