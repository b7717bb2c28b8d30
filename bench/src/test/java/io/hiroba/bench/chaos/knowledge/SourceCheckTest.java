package io.hiroba.bench.chaos.knowledge;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.bench.chaos.knowledge.ApiState.Progress;
import io.hiroba.bench.chaos.knowledge.DatabaseState.Chunk;
import io.hiroba.bench.chaos.knowledge.DatabaseState.DeadLetter;
import io.hiroba.bench.chaos.knowledge.DatabaseState.Source;
import io.hiroba.bench.chaos.knowledge.DatabaseState.Vector;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plants faults in sources and has them found. */
class SourceCheckTest {

    private final ObservationsBuilder planted = new ObservationsBuilder();

    private void seen(String violation) {
        assertThat(planted.violations()).anySatisfy(what -> assertThat(what).contains(violation));
    }

    @Test
    void whatIsRightIsTakenForRight() {
        assertThat(planted.violations()).isEmpty();
    }

    @Test
    void aMissingVectorIsSeen() {
        planted.change(ObservationsBuilder.SOURCE, 0, chunk -> ObservationsBuilder.with(chunk, List.of()));
        seen("passage 0 has 0 vectors and 0 dead letters");
    }

    @Test
    void aDoubledVectorIsSeen() {
        planted.change(
                ObservationsBuilder.SOURCE,
                0,
                chunk -> ObservationsBuilder.with(
                        chunk,
                        List.of(chunk.vectors().getFirst(), chunk.vectors().getFirst())));
        seen("passage 0 has 2 vectors and 0 dead letters");
    }

    @Test
    void theVectorOfAnotherTextIsSeen() {
        planted.change(
                ObservationsBuilder.SOURCE,
                0,
                chunk -> ObservationsBuilder.with(
                        chunk, List.of(new Vector(false, TextVectors.of("Passage 2\n\nA key.")))));
        seen("has the vector of another text");
    }

    @Test
    void aVectorThatOthersMayReadIsSeen() {
        planted.change(
                ObservationsBuilder.SOURCE,
                0,
                chunk -> ObservationsBuilder.with(chunk, List.of(new Vector(true, TextVectors.of(chunk.content())))));
        seen("and its vector differ in visibility");
    }

    @Test
    void aVectorBesideADeadLetterIsSeen() {
        planted.change(
                ObservationsBuilder.SOURCE,
                1,
                chunk -> ObservationsBuilder.with(chunk, List.of(new Vector(false, TextVectors.of(chunk.content())))));
        seen("passage 1 has 1 vectors and 1 dead letters");
        seen("has a vector that the service never returns");
    }

    @Test
    void aChunkThatStillWaitsIsSeen() {
        planted.change(
                ObservationsBuilder.SOURCE, 0, chunk -> new Chunk(0, 0, chunk.content(), false, null, 1, List.of()));
        seen("passage 0 still waits for its vector");
    }

    @Test
    void aWrongStatusIsSeen() {
        planted.api.put(ObservationsBuilder.SOURCE, new Progress("completed", "private", 3, 1, 0, 2));
        seen("is shown as Progress[status=completed");
    }

    @Test
    void aWrongCountIsSeen() {
        planted.api.put(ObservationsBuilder.SOURCE, new Progress("partial", "private", 3, 2, 0, 1));
        seen("is shown as");
    }

    @Test
    void aSourceThatTheApiHidesIsSeen() {
        planted.api.remove(ObservationsBuilder.SOURCE);
        seen("is shown as null");
    }

    @Test
    void aSourceThatIsShownAndNotThereIsSeen() {
        planted.api.put(4096L, new Progress("completed", "private", 1, 1, 0, 0));
        seen("is shown, and is not there");
    }

    @Test
    void aDeathBeforeTheLastRetryIsSeen() {
        planted.deadLetters.set(
                1, new DeadLetter(ObservationsBuilder.SOURCE, 2, ObservationsBuilder.POISON, "SERVER_ERROR", 2));
        seen("is dead after 2 retries instead of 3");
    }

    @Test
    void aDeathOfWhatWasNotTriedSoOftenIsSeen() {
        planted.deadLetters.set(
                0, new DeadLetter(ObservationsBuilder.SOURCE, 1, ObservationsBuilder.REFUSED, "TEXT_REFUSED", 2));
        seen("is dead after 2 retries, but was tried 1 times");
    }

    @Test
    void aGoodTextThatWasTakenForRefusedIsSeen() {
        planted.change(ObservationsBuilder.SOURCE, 0, chunk -> ObservationsBuilder.with(chunk, List.of()));
        planted.deadLetters.add(
                new DeadLetter(ObservationsBuilder.SOURCE, 0, ObservationsBuilder.PLAIN, "TEXT_REFUSED", 0));
        seen("was taken for refused");
    }

    @Test
    void aDeathOfNothingThatKillsIsSeen() {
        planted.deadLetters.set(
                1, new DeadLetter(ObservationsBuilder.SOURCE, 2, ObservationsBuilder.POISON, "RATE_LIMIT", 3));
        seen("is dead because of RATE_LIMIT");
    }

    @Test
    void aDoubledDeadLetterIsSeen() {
        planted.deadLetters.add(planted.deadLetters.getFirst());
        seen("passage 1 has 0 vectors and 2 dead letters");
        seen("and the API shows");
    }

    @Test
    void anOwnerWhoWasToldTooOftenIsSeen() {
        planted.deadLetterEvents.put(ObservationsBuilder.SOURCE, 3);
        seen("has 2 dead letters, and its owner was notified of 3");
    }

    @Test
    void aDeadLetterThatTheApiHidesIsSeen() {
        planted.shownLetters.removeFirst();
        seen("and the API shows");
    }

    @Test
    void aLostSourceIsSeen() {
        planted.sources.remove(ObservationsBuilder.SOURCE);
        seen("is missing");
    }

    @Test
    void aSourceThatWasDeletedAndIsThereIsSeen() {
        planted.history.keep(planted.expected().deleted());
        seen("was deleted, and is there with 3 passages");
    }

    @Test
    void aDeadLetterThatRepeatsWhatWasDeletedIsSeen() {
        planted.history.keep(planted.expected().deleted());
        planted.sources.remove(ObservationsBuilder.SOURCE);
        planted.api.remove(ObservationsBuilder.SOURCE);
        seen("a dead letter repeats what was deleted: " + ObservationsBuilder.REFUSED);
    }

    @Test
    void whatIsLeftOfADeletedSourceIsTakenForRight() {
        planted.history.keep(planted.expected().deleted());
        planted.sources.remove(ObservationsBuilder.SOURCE);
        planted.api.remove(ObservationsBuilder.SOURCE);
        planted.deadLetters.replaceAll(deadLetter ->
                new DeadLetter(deadLetter.source(), deadLetter.chunk(), "", deadLetter.code(), deadLetter.retries()));
        planted.shownLetters.clear();
        planted.shownLetters.addAll(planted.deadLetters);
        assertThat(planted.violations()).isEmpty();
    }

    @Test
    void aSourceThatNobodyAddedIsSeen() {
        planted.sources.put(4096L, new Source(4096, false, 0, null, List.of()));
        seen("nobody added it");
    }

    @Test
    void contentThatIsNotWhatItsOwnerWantsIsSeen() {
        planted.history.keep(planted.expected().withPassages(List.of(ObservationsBuilder.PLAIN)));
        seen("instead of\n" + ObservationsBuilder.PLAIN);
    }

    @Test
    void aSourceThatIsHiddenAgainstItsOwnersWillIsSeen() {
        planted.history.keep(planted.expected().withVisibility(true));
        seen("does not have the visibility that its owner set");
    }

    @Test
    void aSecondSpaceIsSeen() {
        planted.spaces = 2;
        seen("there are 2 instead of 1");
    }
}
