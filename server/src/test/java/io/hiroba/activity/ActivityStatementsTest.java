package io.hiroba.activity;

import io.hiroba.testkit.GoldenStatements;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The statements that are assembled from parts, resolved: {@code golden/activity}. */
class ActivityStatementsTest {

    @ParameterizedTest
    @CsvSource({"card-page", "card-newest", "card-updated-since", "muted-posts", "muted-people", "followed-posts"})
    void aStatementIsTheOneOnFile(String name) {
        GoldenStatements.check(
                "activity",
                name,
                switch (name) {
                    case "card-page" -> CardListStore.PAGE;
                    case "card-newest" -> CardListStore.NEWEST;
                    case "card-updated-since" -> CardListStore.UPDATED_SINCE;
                    case "muted-posts" -> MuteFollowListStore.MUTED_POSTS;
                    case "muted-people" -> MuteFollowListStore.MUTED_PEOPLE;
                    case "followed-posts" -> MuteFollowListStore.FOLLOWED_POSTS;
                    default -> throw new IllegalArgumentException(name);
                });
    }
}
