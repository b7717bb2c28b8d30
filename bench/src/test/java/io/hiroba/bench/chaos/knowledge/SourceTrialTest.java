package io.hiroba.bench.chaos.knowledge;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.bench.chaos.knowledge.Shown.Progress;
import io.hiroba.bench.chaos.knowledge.Stored.Chunk;
import io.hiroba.bench.chaos.knowledge.Stored.Letter;
import io.hiroba.bench.chaos.knowledge.Stored.Source;
import io.hiroba.bench.chaos.knowledge.Stored.Vector;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plants faults in sources and has them found. */
class SourceTrialTest {

    private final Planted planted = new Planted();

    private void seen(String complaint) {
        assertThat(planted.wrong()).anySatisfy(what -> assertThat(what).contains(complaint));
    }

    @Test
    void whatIsRightIsTakenForRight() {
        assertThat(planted.wrong()).isEmpty();
    }

    @Test
    void aMissingVectorIsSeen() {
        planted.change(Planted.SOURCE, 0, chunk -> Planted.with(chunk, List.of()));
        seen("passage 0 has 0 vectors and 0 dead letters");
    }

    @Test
    void aDoubledVectorIsSeen() {
        planted.change(
                Planted.SOURCE,
                0,
                chunk -> Planted.with(
                        chunk,
                        List.of(chunk.vectors().getFirst(), chunk.vectors().getFirst())));
        seen("passage 0 has 2 vectors and 0 dead letters");
    }

    @Test
    void theVectorOfAnotherTextIsSeen() {
        planted.change(
                Planted.SOURCE,
                0,
                chunk -> Planted.with(chunk, List.of(new Vector(false, Vectors.of("Passage 2\n\nA key.")))));
        seen("has the vector of another text");
    }

    @Test
    void aVectorThatOthersMayReadIsSeen() {
        planted.change(
                Planted.SOURCE,
                0,
                chunk -> Planted.with(chunk, List.of(new Vector(true, Vectors.of(chunk.content())))));
        seen("is not shown to those to whom its vector is");
    }

    @Test
    void aVectorBesideADeadLetterIsSeen() {
        planted.change(
                Planted.SOURCE,
                1,
                chunk -> Planted.with(chunk, List.of(new Vector(false, Vectors.of(chunk.content())))));
        seen("passage 1 has 1 vectors and 1 dead letters");
        seen("has a vector that nobody makes");
    }

    @Test
    void aChunkThatStillWaitsIsSeen() {
        planted.change(Planted.SOURCE, 0, chunk -> new Chunk(0, 0, chunk.content(), false, null, 1, List.of()));
        seen("passage 0 still waits for its vector");
    }

    @Test
    void aWrongStatusIsSeen() {
        planted.shown.put(Planted.SOURCE, new Progress("completed", "private", 3, 1, 0, 2));
        seen("is shown as Progress[status=completed");
    }

    @Test
    void aWrongCountIsSeen() {
        planted.shown.put(Planted.SOURCE, new Progress("partial", "private", 3, 2, 0, 1));
        seen("is shown as");
    }

    @Test
    void aSourceThatTheApiHidesIsSeen() {
        planted.shown.remove(Planted.SOURCE);
        seen("is shown as null");
    }

    @Test
    void aSourceThatIsShownAndNotThereIsSeen() {
        planted.shown.put(4096L, new Progress("completed", "private", 1, 1, 0, 0));
        seen("is shown, and is not there");
    }

    @Test
    void aDeathBeforeTheLastRetryIsSeen() {
        planted.letters.set(1, new Letter(Planted.SOURCE, 2, Planted.POISON, "SERVER_ERROR", 2));
        seen("is dead after 2 retries instead of 3");
    }

    @Test
    void aDeathOfWhatWasNotTriedSoOftenIsSeen() {
        planted.letters.set(0, new Letter(Planted.SOURCE, 1, Planted.REFUSED, "TEXT_REFUSED", 2));
        seen("is dead after 2 retries, but was tried 1 times");
    }

    @Test
    void aGoodTextThatWasTakenForRefusedIsSeen() {
        planted.change(Planted.SOURCE, 0, chunk -> Planted.with(chunk, List.of()));
        planted.letters.add(new Letter(Planted.SOURCE, 0, Planted.PLAIN, "TEXT_REFUSED", 0));
        seen("was taken for refused");
    }

    @Test
    void aDeathOfNothingThatKillsIsSeen() {
        planted.letters.set(1, new Letter(Planted.SOURCE, 2, Planted.POISON, "RATE_LIMIT", 3));
        seen("is dead because of RATE_LIMIT");
    }

    @Test
    void aDoubledDeadLetterIsSeen() {
        planted.letters.add(planted.letters.getFirst());
        seen("passage 1 has 0 vectors and 2 dead letters");
        seen("and the API shows");
    }

    @Test
    void anOwnerWhoWasToldTooOftenIsSeen() {
        planted.told.put(Planted.SOURCE, 3);
        seen("has 2 dead letters, and its owner was told of 3");
    }

    @Test
    void aDeadLetterThatTheApiHidesIsSeen() {
        planted.shownLetters.removeFirst();
        seen("and the API shows");
    }

    @Test
    void aLostSourceIsSeen() {
        planted.sources.remove(Planted.SOURCE);
        seen("is gone");
    }

    @Test
    void aSourceThatWasDeletedAndIsThereIsSeen() {
        planted.memory.keep(planted.holding().deleted());
        seen("was deleted, and is there with 3 passages");
    }

    @Test
    void aDeadLetterThatRepeatsWhatWasDeletedIsSeen() {
        planted.memory.keep(planted.holding().deleted());
        planted.sources.remove(Planted.SOURCE);
        planted.shown.remove(Planted.SOURCE);
        seen("a dead letter repeats what was deleted: " + Planted.REFUSED);
    }

    @Test
    void whatIsLeftOfADeletedSourceIsTakenForRight() {
        planted.memory.keep(planted.holding().deleted());
        planted.sources.remove(Planted.SOURCE);
        planted.shown.remove(Planted.SOURCE);
        planted.letters.replaceAll(
                letter -> new Letter(letter.source(), letter.chunk(), "", letter.code(), letter.retries()));
        planted.shownLetters.clear();
        planted.shownLetters.addAll(planted.letters);
        assertThat(planted.wrong()).isEmpty();
    }

    @Test
    void aSourceThatNobodyAddedIsSeen() {
        planted.sources.put(4096L, new Source(4096, false, 0, null, List.of()));
        seen("nobody added it");
    }

    @Test
    void contentThatIsNotWhatItsOwnerWantsIsSeen() {
        planted.memory.keep(planted.holding().with(List.of(Planted.PLAIN)));
        seen("instead of\n" + Planted.PLAIN);
    }

    @Test
    void aSourceThatIsHiddenAgainstItsOwnersWillIsSeen() {
        planted.memory.keep(planted.holding().shown(true));
        seen("is shown to others than its owner wants");
    }

    @Test
    void aSecondSpaceIsSeen() {
        planted.spaces = 2;
        seen("there are 2 instead of 1");
    }
}
