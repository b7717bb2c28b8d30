package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.News;
import io.hiroba.inbox.fanout.Stir;
import io.hiroba.inbox.gitlab.handling.PipelineStore.Known;
import io.hiroba.inbox.resources.People;
import io.hiroba.inbox.resources.Person;
import io.hiroba.inbox.resources.Resource;
import io.hiroba.inbox.resources.Resources;
import java.time.Instant;
import java.util.Optional;

/**
 * Tells people that their pipelines failed, and takes that back once a later one for the same merge request or branch
 * succeeds. Pipelines follow one another by number, whichever of them ends or is told of first.
 */
final class Pipelines {

    private final Resources resources;
    private final People people;
    private final Teller teller;
    private final PipelineStore store = new PipelineStore();

    Pipelines(Resources resources, People people, Teller teller) {
        this.resources = resources;
        this.people = people;
        this.teller = teller;
    }

    /**
     * How a pipeline stands.
     *
     * @param resource what its failure is told about
     * @param succeeded none while it runs
     * @param authoritative whether this comes from the pipeline itself, which knows its merge request, not from a job
     */
    record Run(
            long number,
            Resource resource,
            String lane,
            Optional<Person> user,
            Optional<Boolean> succeeded,
            Instant endedAt,
            boolean authoritative) {}

    /** Lets nobody else work on the project's pipelines until the transaction ends. Comes before any resource is locked. */
    void enter(Event event) {
        var project = Places.projectId(event).map(String::valueOf).orElse("");
        store.lock(event.tx(), event.connection(), project);
    }

    void take(Event event, Run told) {
        var tx = event.tx();
        var known = store.find(tx, event.connection(), told.number());
        var run = settled(event, told, known);
        boolean moved =
                known.filter(old -> !old.resource().equals(run.resource().id())).isPresent();
        boolean newer = isNewer(told, known);
        boolean again = known.filter(old -> runsAgain(told, old)).isPresent();
        store.save(tx, event.connection(), run, again && !newer);
        if (moved) {
            known.ifPresent(old -> move(event, old, run));
        }
        if (run.succeeded().isEmpty() || !(newer || moved)) {
            return;
        }
        teller.stir(tx, run.resource(), Stir.PIPELINE);
        if (!moved
                && !again
                && known.filter(Known::isFailed).isPresent()
                && !run.succeeded().get()) {
            // It is as red as it was, and whoever is done with that is done.
            return;
        }
        var success = store.lastSuccess(tx, event.connection(), run.lane());
        if (run.succeeded().get()) {
            takeBack(event, run, success.orElse(run.number()));
            return;
        }
        var news = News.of(run.resource(), Action.BUILD_FAILED, Teller.author(run.user()), run.endedAt());
        boolean moot = success.filter(number -> number > run.number()).isPresent();
        teller.tell(tx, moot ? news.asMoot() : news, run.user().stream().toList());
    }

    /** Whether it was started again since it ended. */
    private static boolean runsAgain(Run told, Known known) {
        return known.runsAgain()
                || (told.succeeded().isEmpty() && known.succeeded().isPresent());
    }

    private static boolean isNewer(Run told, Optional<Known> known) {
        return told.succeeded().isPresent()
                && known.flatMap(Known::endedAt)
                        .filter(ended -> told.endedAt().isBefore(ended))
                        .isEmpty();
    }

    /** A job knows less than its pipeline; and how a pipeline ended last is how it ended. */
    private Run settled(Event event, Run told, Optional<Known> known) {
        if (known.isEmpty()) {
            return told;
        }
        var old = known.get();
        boolean keepsPlace = !told.authoritative();
        boolean newer = isNewer(told, known);
        return new Run(
                told.number(),
                keepsPlace ? resources.find(event.tx(), old.resource()).orElse(told.resource()) : told.resource(),
                keepsPlace ? old.lane() : told.lane(),
                told.user().or(() -> old.person().flatMap(person -> people.find(event.tx(), person))),
                newer ? told.succeeded() : old.succeeded(),
                newer ? told.endedAt() : old.endedAt().orElse(told.endedAt()),
                told.authoritative());
    }

    /** What a job told about its commit is told about the merge request instead. */
    private void move(Event event, Known old, Run run) {
        resources
                .find(event.tx(), old.resource())
                .ifPresent(resource -> teller.withdraw(
                        event.tx(),
                        resource,
                        Action.BUILD_FAILED,
                        run.user().stream().toList(),
                        old.endedAt().orElse(run.endedAt())));
    }

    /** What failed up to the last that succeeded is moot, but not for those for whom one has failed again since. */
    private void takeBack(Event event, Run run, long success) {
        var tx = event.tx();
        var failures = store.failures(tx, event.connection(), run.lane());
        for (var failure : failures) {
            boolean stands =
                    failure.number() > success || failures.stream().anyMatch(other -> other.isAfter(success, failure));
            if (!stands) {
                takeBack(event, failure);
            }
        }
        // Its own, from before it was tried again.
        var own = Known.of(run);
        if (failures.stream().noneMatch(other -> other.isAfter(success, own))) {
            takeBack(event, own);
        }
    }

    private void takeBack(Event event, Known failure) {
        var tx = event.tx();
        var person = failure.person().flatMap(id -> people.find(tx, id));
        resources
                .find(tx, failure.resource())
                .ifPresent(resource -> teller.mootFor(
                        tx,
                        resource,
                        Action.BUILD_FAILED,
                        person.stream().toList(),
                        failure.endedAt().orElseThrow()));
    }
}
