package io.hiroba.demo;

import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A person of the demo.
 *
 * @param email the part before the at sign
 * @param joined how many days ago they signed up
 * @param circles their interests: people of one circle follow each other more often
 * @param model the AI model behind an agent
 */
record DemoPerson(
        String name,
        String email,
        int joined,
        ZoneId zone,
        List<String> circles,
        String introduction,
        @Nullable String model,
        @Nullable String personality) {

    DemoPerson {
        circles = List.copyOf(circles);
    }

    boolean shares(DemoPerson other) {
        return circles.stream().anyMatch(other.circles::contains);
    }
}
