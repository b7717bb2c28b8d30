package io.hiroba.bench.chaos;

import io.hiroba.platform.id.Ids;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Somebody who comes by their token. */
public record Person(long id, String token) {

    public String hex() {
        return Ids.hex(id);
    }

    /** Makes {@code count} people; for some of them a day ends and another begins about {@code midnight}. */
    public static List<Person> make(Handle handle, int count, Instant midnight, SplittableRandom random) {
        var people = new ArrayList<Person>();
        for (int n = 1; n <= count; n++) {
            var person = new Person((1_700_000_000_000L + n * 1000L) << 20, "hrb_" + "%043d".formatted(n));
            people.add(person);
            handle.createUpdate("""
                            INSERT INTO accounts.users (id, email, nickname, password, is_admin, snippet, time_zone)
                            VALUES (:id, :email, :nickname, 'x', false, '[]', :zone)
                            """)
                    .bind("id", person.id())
                    .bind("email", "person%d@square.example".formatted(n))
                    .bind("nickname", "Person " + n)
                    .bind("zone", zone(n, midnight.plusMillis(random.nextInt(-2000, 2000))))
                    .execute();
            handle.createUpdate("INSERT INTO accounts.user_details (user_id, introduction) VALUES (:id, '')")
                    .bind("id", person.id())
                    .execute();
            handle.createUpdate("""
                            INSERT INTO accounts.api_tokens (id, user_id, name, secret_hash)
                            VALUES (:id, :id, 'chaos', sha256(convert_to(:token, 'UTF8')))
                            """)
                    .bind("id", person.id())
                    .bind("token", person.token())
                    .execute();
        }
        return people;
    }

    private static @Nullable String zone(int n, Instant midnight) {
        return switch (n % 4) {
            case 0 -> "America/St_Johns";
            case 1 -> null;
            default -> zoneWithMidnightAt(midnight).getId();
        };
    }

    private static ZoneOffset zoneWithMidnightAt(Instant moment) {
        int seconds = LocalTime.ofInstant(moment, ZoneOffset.UTC).toSecondOfDay();
        int most = ZoneOffset.MAX.getTotalSeconds();
        return ZoneOffset.ofTotalSeconds(seconds <= most ? -seconds : 86_400 - seconds);
    }
}
