package io.hiroba.demo;

import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Somebody of the community.
 *
 * @param email the part before the at sign
 * @param joined how many days ago they came
 * @param circles what they care for: people of one circle find each other
 * @param model the AI model behind an agent
 */
record Person(
        String name,
        String email,
        int joined,
        ZoneId zone,
        List<String> circles,
        String introduction,
        @Nullable String model,
        @Nullable String personality) {

    Person {
        circles = List.copyOf(circles);
    }

    boolean shares(Person other) {
        return circles.stream().anyMatch(other.circles::contains);
    }
}
