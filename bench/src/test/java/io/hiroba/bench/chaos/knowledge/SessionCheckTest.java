package io.hiroba.bench.chaos.knowledge;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.bench.chaos.knowledge.DatabaseState.Source;
import io.hiroba.bench.chaos.knowledge.ExpectedSession.Acknowledged;
import io.hiroba.bench.chaos.knowledge.ExpectedSession.Message;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plants faults in sessions and has them found. */
class SessionCheckTest {

    private final ObservationsBuilder planted = new ObservationsBuilder();

    private void seen(String violation) {
        assertThat(planted.violations()).anySatisfy(what -> assertThat(what).contains(violation));
    }

    /** Puts another source in the place of one that was made of the session. */
    private void replace(long id, int first, int count) {
        var source = planted.source(id);
        planted.sources.put(
                id,
                new Source(id, false, source.chunkCount(), ObservationsBuilder.part(first, count), source.chunks()));
    }

    @Test
    void aLostMessageIsSeen() {
        planted.messages.remove(8);
        seen("message #8 is lost");
        seen("counts 8 messages instead of 9");
    }

    @Test
    void aMessageThatTheApiDoesNotShowIsSeen() {
        planted.shownMessages.remove(3);
        seen("the API shows that message #3 is lost");
    }

    @Test
    void aDoubledMessageIsSeen() {
        planted.messages.put(9, planted.message(8));
        seen("message #9 is there twice");
    }

    @Test
    void aMessageThatNobodyWasToldOfIsSeen() {
        planted.messages.put(9, new Message("user", null, "Words number 9"));
        seen("message #9 was never acknowledged");
    }

    @Test
    void messagesThatHaveChangedPlacesAreSeen() {
        var third = planted.message(3);
        planted.messages.put(3, planted.message(4));
        planted.messages.put(4, third);
        seen("message #3 is lost");
    }

    @Test
    void twoWhoWereToldOfTheSamePlaceAreSeen() {
        planted.expected.add(new Acknowledged(8, List.of(new Message("user", null, "Words number 9")), 20, 21));
        seen("two requests were acknowledged at index 8");
    }

    @Test
    void whoSpokeEarlierAndStandsBehindIsSeen() {
        planted.expected.add(new Acknowledged(9, List.of(new Message("user", null, "Words number 9")), 1, 2));
        seen("message #9 comes after a later one");
    }

    @Test
    void aRangeThatIsArchivedTwiceIsSeen() {
        replace(ObservationsBuilder.SECOND_PART, 2, 7);
        seen("messages #2–#3 are archived twice");
    }

    @Test
    void aPartThatIsThereTwiceIsSeen() {
        var second = planted.source(ObservationsBuilder.SECOND_PART);
        planted.sources.put(4096L, new Source(4096, false, 2, second.part(), second.chunks()));
        seen("messages #4–#8 are archived twice");
    }

    @Test
    void messagesThatWerePassedOverAreSeen() {
        planted.sources.remove(ObservationsBuilder.FIRST_PART);
        seen("messages #0–#3 are passed over");
    }

    @Test
    void anIndexThatIsAheadOfTheSourcesIsSeen() {
        planted.sources.remove(ObservationsBuilder.SECOND_PART);
        seen("is archived up to #9, but its sources go up to #4");
    }

    @Test
    void aChunkThatIsMissingInAPartIsSeen() {
        planted.source(ObservationsBuilder.SECOND_PART).chunks().removeLast();
        seen("holds");
        seen("says that it has 2 passages, and has 1");
    }

    @Test
    void aChunkWithoutTheMessagesBeforeItIsSeen() {
        planted.change(ObservationsBuilder.SECOND_PART, 0, chunk -> planted.window(0, 4, 7));
        seen("source 0000000000000300 holds");
    }

    @Test
    void aMissingVectorOfAPartIsSeen() {
        planted.change(ObservationsBuilder.SECOND_PART, 1, chunk -> ObservationsBuilder.with(chunk, List.of()));
        seen("passage 1 has 0 vectors and 0 dead letters");
    }

    @Test
    void whatWasNotArchivedIsSeen() {
        planted.sources.remove(ObservationsBuilder.SECOND_PART);
        planted.archived = 4;
        seen("messages from #4 on are not archived");
    }

    @Test
    void aSessionThatIsNotAtRestIsSeen() {
        planted.status = "active";
        seen("is idle, and is active");
    }

    @Test
    void aPartThatIsShownToOthersThanTheSessionIsSeen() {
        var first = planted.source(ObservationsBuilder.FIRST_PART);
        planted.sources.put(
                ObservationsBuilder.FIRST_PART,
                new Source(ObservationsBuilder.FIRST_PART, true, 1, first.part(), new ArrayList<>(first.chunks())));
        seen("and the session differ in visibility");
    }
}
