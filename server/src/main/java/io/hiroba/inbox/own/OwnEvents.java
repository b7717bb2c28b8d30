package io.hiroba.inbox.own;

import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.inbox.people.Members;
import io.hiroba.inbox.resources.People;
import io.hiroba.inbox.resources.Resources;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.EventHandler;
import java.util.List;
import java.util.function.Function;

/** Brings about what our own events mean for inboxes. Most of them mean nothing. */
public final class OwnEvents implements EventHandler {

    public static final String CONSUMER = "inbox";

    private final List<EventSubject> subjects;

    /**
     * What surrounds the inbox, as far as it asks.
     *
     * @param operators who is told of what goes wrong in Hiroba itself
     * @param posts what a post is called by now, by its id and that of its author
     */
    public record Surroundings(
            Function<Reads, List<UserId>> operators, KnownSources sources, KnownRecords records, PostTitles posts) {}

    public OwnEvents(Ours ours, Resources resources, People people, Members members, Users users, Surroundings around) {
        subjects = List.of(
                new SagaNews(ours, around.operators()),
                new KnowledgeNews(ours, around.operators(), around.sources()),
                new RecordNews(ours, around.records(), new Assignments(ours, resources, people, users)),
                new ProjectNews(ours, people, members),
                new PostNews(ours, around.posts()),
                new AccountNews());
    }

    @Override
    public void handle(Tx tx, List<Event> batch) {
        for (var subject : subjects) {
            var concerned = batch.stream()
                    .filter(event -> subject.types().contains(event.type()))
                    .toList();
            if (!concerned.isEmpty()) {
                subject.handle(tx, concerned);
            }
        }
    }
}
