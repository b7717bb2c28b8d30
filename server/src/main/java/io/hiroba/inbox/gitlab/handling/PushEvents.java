package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.gitlab.deliveries.Outcome;

/** Pushes: commits whose messages name people. The others are not mirrored, nobody has anything to do with them. */
final class PushEvents implements EventHandler {

    private static final String BRANCH = "refs/heads/";

    private final Persons persons;
    private final Mirror mirror;
    private final Teller teller;

    PushEvents(Persons persons, Mirror mirror, Teller teller) {
        this.persons = persons;
        this.mirror = mirror;
        this.teller = teller;
    }

    @Override
    public Outcome handle(Event event) {
        var root = event.root();
        var pusher = Teller.author(persons.of(event, root, "user_"));
        var ref = Fields.text(root, "ref");
        int named = 0;
        for (var commit : Fields.objects(root.path("commits"))) {
            var sha = Fields.find(commit, "id");
            var mentions = Mentions.of(Fields.whole(commit, "message"));
            if (sha.isEmpty() || mentions.equals(Mentions.NONE)) {
                continue;
            }
            var branch = ref.startsWith(BRANCH) ? ref.substring(BRANCH.length()) : ref;
            var resource = mirror.commit(event, commit, sha.get(), branch.isEmpty() ? null : branch)
                    .resource();
            teller.mention(event.tx(), persons, event, resource, mentions, pusher, Mirror.commitTime(event, commit));
            named++;
        }
        return Outcome.handled("Push with %d commits that name somebody".formatted(named));
    }
}
