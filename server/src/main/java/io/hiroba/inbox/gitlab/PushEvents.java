package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.platform.i18n.Text;

/**
 * Handles pushes: mirrors the commits whose messages mention people, and no others.
 */
final class PushEvents implements GitlabEvents.Handler {

    private static final String BRANCH = "refs/heads/";

    private final GitlabPeople people;
    private final GitlabMirror mirror;
    private final Recipients recipients;

    PushEvents(GitlabPeople people, GitlabMirror mirror, Recipients recipients) {
        this.people = people;
        this.mirror = mirror;
        this.recipients = recipients;
    }

    @Override
    public DeliveryOutcome handle(GitlabEvent event) {
        var root = event.root();
        var pusher = NotificationAuthor.of(people.of(event, root, "user_"));
        var ref = JsonFields.text(root, "ref");
        int mentioning = 0;
        for (var commit : JsonFields.objects(root.path("commits"))) {
            var sha = JsonFields.id(commit);
            var mentions = GitlabMentions.of(JsonFields.rawText(commit, "message"));
            if (sha.isEmpty() || mentions.equals(GitlabMentions.NONE)) {
                continue;
            }
            var branch = ref.startsWith(BRANCH) ? ref.substring(BRANCH.length()) : ref;
            var resource = mirror.commit(event, commit, sha.get(), branch.isEmpty() ? null : branch)
                    .resource();
            recipients.notifyMentioned(event, resource, mentions, pusher, GitlabMirror.commitTime(event, commit));
            mentioning++;
        }
        return DeliveryOutcome.handled(Text.of("inbox.outcome.push", "count", mentioning));
    }
}
