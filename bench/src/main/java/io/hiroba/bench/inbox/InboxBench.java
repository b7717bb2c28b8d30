package io.hiroba.bench.inbox;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.bench.BenchDatabase;
import io.hiroba.bench.Clients;
import io.hiroba.bench.Contest;
import io.hiroba.inbox.InboxFilter;
import io.hiroba.inbox.InboxView;
import io.hiroba.inbox.ItemId;
import io.hiroba.inbox.ItemPosition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** {@code ./hiroba bench inbox}: pages and counts of many items, one event for a thousand people, and webhooks. */
public final class InboxBench {

    private static final int CLIENTS = 4;
    private static final int PAGE = 20;
    private static final int WARM_UP = 4;
    private static final Instant LAST = Instant.parse("2026-01-01T00:00:00Z").plus(Duration.ofHours(3_500));

    private final Boxes boxes;
    private final OneTable table;
    private final OurInbox ours;
    private final double seconds;

    private InboxBench(BenchDatabase database, double seconds) {
        this.boxes = new Boxes(database.db());
        this.table = new OneTable(database.db());
        this.ours = new OurInbox(database.db());
        this.seconds = seconds;
    }

    public static void run() {
        run(2);
    }

    static void run(double seconds) {
        try (var database = BenchDatabase.create()) {
            var bench = new InboxBench(database, seconds);
            bench.boxes.fill();
            bench.warmUp();
            bench.pages();
            bench.counts();
            bench.fanout();
            new Hooks(database).run(seconds);
        }
    }

    /** What is measured is a server that has been running, whose code is compiled. */
    private void warmUp() {
        System.err.println("· warming up");
        for (int round = 0; round < WARM_UP; round++) {
            pages(InboxView.TODO, 9_000);
            byHand(0, 9_000);
        }
    }

    private void pages() {
        page("a page of 20 of 10,000 to do", 0, InboxView.TODO, 9_000);
        page("a page of 20 of 200,000 done", 2, InboxView.DONE, 200_000);
    }

    /** @param minutes how far back pages begin, so that not the same rows are read each time */
    private void page(String work, int state, InboxView view, int minutes) {
        new Contest(work, "pages/s")
                .with("one table, by hand", () -> byHand(state, minutes))
                .with("ours", () -> pages(view, minutes))
                .with(
                        "one table with titles in each row",
                        () -> Clients.rate(
                                CLIENTS,
                                seconds,
                                n -> require(table.widePage(Boxes.busy(), state, before(n, minutes), PAGE)
                                        .size())))
                .run();
    }

    private double byHand(int state, int minutes) {
        return Clients.rate(
                CLIENTS,
                seconds,
                n -> require(table.page(Boxes.busy(), state, before(n, minutes), PAGE)
                        .size()));
    }

    private double pages(InboxView view, int minutes) {
        var caller = new Caller(Boxes.busy(), false, new Caller.ByServer(), null);
        var filter = InboxFilter.of(view);
        return Clients.rate(
                CLIENTS,
                seconds,
                n -> require(ours.inbox
                        .list(caller, filter, after(n, minutes), PAGE)
                        .items()
                        .size()));
    }

    private static Instant before(long n, int minutes) {
        return LAST.minus(Duration.ofMinutes(n * 37 % (minutes - PAGE)));
    }

    private static Optional<ItemPosition> after(long n, int minutes) {
        return Optional.of(new ItemPosition(before(n, minutes), new ItemId(Long.MAX_VALUE)));
    }

    private static void require(int size) {
        if (size != PAGE) {
            throw new IllegalStateException("a page of " + size);
        }
    }

    private void counts() {
        var caller = new Caller(Boxes.busy(), false, new Caller.ByServer(), null);
        new Contest("the counts of 210,000 items", "counts/s")
                .with("one table, counted", () -> Clients.rate(CLIENTS, seconds, n -> table.counted(Boxes.busy())))
                .with("ours", () -> Clients.rate(CLIENTS, seconds, n -> ours.inbox.counts(caller)))
                .run();
    }

    private void fanout() {
        var people = IntStream.rangeClosed(1, 1_000).mapToObj(Boxes::person).toList();
        new Contest("one event for 1,000 people", "events/s")
                .inThreeRounds()
                .with("one table, one statement", () -> Clients.rate(1, seconds * 2, n -> byHand(people)))
                .with("ours", () -> Clients.rate(1, seconds * 2, n -> ours.tell(people)))
                .run();
    }

    private void byHand(List<UserId> people) {
        long resource = ours.nextResource();
        table.insert(resource << 20, people, resource);
    }
}
