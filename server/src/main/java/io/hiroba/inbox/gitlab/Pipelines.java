package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.AutoResolver;
import io.hiroba.inbox.fanout.ExternalPeople;
import io.hiroba.inbox.fanout.ExternalPerson;
import io.hiroba.inbox.fanout.Fanout;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.NotificationRequest;
import io.hiroba.inbox.fanout.Notifier;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.inbox.fanout.ResourceMirror;
import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.inbox.gitlab.PipelineStore.Known;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Notifies people of their failed pipelines, and resolves that once a later one for the same merge request or branch
 * succeeds. Pipelines follow one another by number, whichever of them ends or is reported first.
 */
final class Pipelines {

    private final ResourceMirror resources;
    private final ExternalPeople people;
    private final Notifier notifier;
    private final AutoResolver resolver;
    private final PipelineStore store = new PipelineStore();

    Pipelines(Fanout fanout) {
        resources = fanout.resources();
        people = fanout.people();
        notifier = fanout.notifier();
        resolver = fanout.resolver();
    }

    /**
     * The state of a pipeline as an event states it.
     *
     * @param resource the resource that its failure is notified about
     * @param succeeded none while it runs
     * @param authoritative whether this comes from the pipeline itself, which knows its merge request, not from a job
     * @param child whether it is a part of another pipeline: its success is none of the branch's
     */
    record Run(
            long number,
            Resource resource,
            String lane,
            Optional<ExternalPerson> user,
            Optional<Boolean> succeeded,
            Instant endedAt,
            boolean authoritative,
            boolean child) {}

    /** Locks the pipelines of the project until the transaction ends, before any resource is locked. */
    void lockProject(GitlabEvent event) {
        var project = GitlabNamespaces.projectId(event).map(String::valueOf).orElse("");
        store.lock(event.tx(), event.connection(), project);
    }

    void update(GitlabEvent event, Run reported) {
        var tx = event.tx();
        var known = store.find(tx, event.connection(), reported.number());
        if (reported.child()
                && reported.succeeded().orElse(false)
                && known.filter(Known::isFailed).isEmpty()) {
            return;
        }
        var run = merged(event, reported, known);
        boolean moved =
                known.filter(old -> !old.resource().equals(run.resource().id())).isPresent();
        boolean newer = isNewer(reported, known);
        boolean again = known.filter(old -> runsAgain(reported, old)).isPresent();
        store.save(tx, event.connection(), run, again && !newer);
        if (moved) {
            known.ifPresent(old -> move(event, old, run));
        }
        if (run.succeeded().isEmpty() || !(newer || moved)) {
            return;
        }
        resolver.wakeSnoozed(tx, run.resource(), SnoozeEvent.PIPELINE, event.receivedAt());
        if (!moved
                && !again
                && known.filter(Known::isFailed).isPresent()
                && !run.succeeded().get()) {
            // It has failed before: an item that is done stays done.
            return;
        }
        var ended = store.ended(tx, event.connection(), run.lane());
        var own = Known.of(run);
        if (run.succeeded().get()) {
            Stream.concat(ended.stream().filter(Known::isFailed), Stream.of(own))
                    .filter(distinct(Known::asked))
                    .forEach(failure -> resolve(event, failure, ended));
            return;
        }
        // A later one may have succeeded already.
        resolve(event, own, ended);
        notifier.notifyOnce(
                tx,
                NotificationRequest.of(
                        run.resource(), Action.BUILD_FAILED, NotificationAuthor.of(run.user()), run.endedAt()),
                run.user().stream().toList());
    }

    private static <T> Predicate<T> distinct(Function<T, Object> key) {
        var seen = new HashSet<>();
        return element -> seen.add(key.apply(element));
    }

    /** Whether it was started again since it ended. */
    private static boolean runsAgain(Run reported, Known known) {
        return known.runsAgain()
                || (reported.succeeded().isEmpty() && known.succeeded().isPresent());
    }

    private static boolean isNewer(Run reported, Optional<Known> known) {
        return reported.succeeded().isPresent()
                && known.flatMap(Known::endedAt)
                        .filter(ended -> reported.endedAt().isBefore(ended))
                        .isEmpty();
    }

    /** Merges a report with the stored run: jobs do not know the merge request, and the latest end counts. */
    private Run merged(GitlabEvent event, Run reported, Optional<Known> known) {
        if (known.isEmpty()) {
            return reported;
        }
        var old = known.get();
        boolean keepsResource = !reported.authoritative();
        boolean newer = isNewer(reported, known);
        return new Run(
                reported.number(),
                keepsResource
                        ? resources.find(event.tx(), old.resource()).orElse(reported.resource())
                        : reported.resource(),
                keepsResource ? old.lane() : reported.lane(),
                reported.user().or(() -> old.person().flatMap(person -> people.find(event.tx(), person))),
                newer ? reported.succeeded() : old.succeeded(),
                newer ? reported.endedAt() : old.endedAt().orElse(reported.endedAt()),
                reported.authoritative(),
                reported.child());
    }

    /** Moves what a job reported about its commit to the merge request. */
    private void move(GitlabEvent event, Known old, Run run) {
        resources
                .find(event.tx(), old.resource())
                .ifPresent(resource -> notifier.correct(
                        event.tx(),
                        resource,
                        Action.BUILD_FAILED,
                        run.user().stream()
                                .map(person -> new Notifier.Correction(
                                        person, old.endedAt().orElse(run.endedAt()), null))
                                .toList()));
    }

    /** Resolves the failures of the same resource and person as this one, as far as pipelines have succeeded since. */
    private void resolve(GitlabEvent event, Known asked, List<Known> ended) {
        var tx = event.tx();
        var own = ended.stream()
                .filter(known -> known.asked().equals(asked.asked()))
                .toList();
        var times = own.stream()
                .flatMap(known -> resolvedAt(known, own, ended).stream())
                .collect(Collectors.toCollection(TreeSet::new));
        var person = asked.person().flatMap(id -> people.find(tx, id));
        if (person.isPresent()) {
            resources
                    .find(tx, asked.resource())
                    .ifPresent(resource ->
                            resolver.setWithdrawals(tx, resource, Action.BUILD_FAILED, person.get(), times));
        }
    }

    /**
     * As of when a failure is resolved: when one with a higher number, or it itself once it was retried, has succeeded and none
     * that is still higher had failed by then.
     */
    private static Optional<Instant> resolvedAt(Known known, List<Known> own, List<Known> ended) {
        var at = known.endedAt().orElseThrow();
        return ended.stream()
                .filter(success -> !success.isFailed() && success.number() >= known.number())
                .sorted(Comparator.comparingLong(Known::number))
                .flatMap(success -> {
                    var fixedAt = success.endedAt().filter(at::isBefore).orElse(at);
                    boolean hasFailedSince = own.stream()
                            .filter(other -> other.isFailed() && other.number() > success.number())
                            .anyMatch(other -> !other.endedAt().orElseThrow().isAfter(fixedAt));
                    return hasFailedSince ? Stream.empty() : Stream.of(fixedAt);
                })
                .findFirst();
    }
}
