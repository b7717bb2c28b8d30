package io.hiroba.inbox.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.inbox.fanout.ItemTimeline.Fact;
import io.hiroba.inbox.fanout.ItemTimeline.Kind;
import io.hiroba.inbox.fanout.ItemTimeline.Request;
import java.time.Instant;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class ItemTimelineTest {

    /**
     * Replays facts, one a second.
     *
     * @param facts a letter each: r(equested), e(nded), o(pened again), d(one) by a rule or activity, w(ithdrawn)
     * @return the items with the seconds of their requests
     */
    private static String replay(String facts) {
        var requests = new ArrayList<Request>();
        var others = new ArrayList<Fact>();
        for (int i = facts.length() - 1; i >= 0; i--) {
            var at = Instant.ofEpochSecond(i);
            switch (facts.charAt(i)) {
                case 'r' -> requests.add(new Request(at, NotificationAuthor.NOBODY));
                case 'e' -> others.add(new Fact(at, Kind.ENDED));
                case 'o' -> others.add(new Fact(at, Kind.REOPENED));
                case 'd' -> others.add(new Fact(at, Kind.RESOLVED));
                default -> others.add(new Fact(at, Kind.WITHDRAWN));
            }
        }
        var items = new ArrayList<String>();
        for (var item : ItemTimeline.replay(requests, others)) {
            var seconds = item.requests().stream()
                    .map(request -> Long.toString(request.at().getEpochSecond()))
                    .toList();
            items.add(String.join("+", seconds) + (item.isDone() ? " done" : " todo"));
        }
        return String.join(", ", items);
    }

    @Test
    void anItemTakesUpRequestsUntilItIsDone() {
        assertThat(replay("rr")).isEqualTo("0+1 todo");
        assertThat(replay("rdr")).isEqualTo("0 done, 2 todo");
        assertThat(replay("rrdrd")).isEqualTo("0+1 done, 3 done");
        assertThat(replay("dwe")).isEmpty();
    }

    @Test
    void onlyWhatWasDoneBecauseTheResourceEndedReturns() {
        assertThat(replay("reo")).isEqualTo("0 todo");
        assertThat(replay("reor")).isEqualTo("0+3 todo");
        assertThat(replay("rdeo")).isEqualTo("0 done");
        assertThat(replay("redo")).as("answered while it was closed").isEqualTo("0 todo");
        assertThat(replay("rewo")).as("withdrawn while it was closed").isEqualTo("0 done");
        assertThat(replay("rero")).as("asked anew while it was closed").isEqualTo("0 done, 2 todo");
        assertThat(replay("reoe")).isEqualTo("0 done");
    }
}
