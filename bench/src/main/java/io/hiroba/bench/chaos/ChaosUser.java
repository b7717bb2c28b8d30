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

/** A user with an API token. */
public record ChaosUser(long id, String token) {

    static final String PASSWORD = "chaos chaos";

    private static final String PASSWORD_HASH =
            "$argon2id$v=19$m=8,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$nNiORnGMnqJ4pYCH6sFHsLhQeW9TlnZ7To+/Ep2tGSs";

    public String hex() {
        return Ids.hex(id);
    }

    /** The address of the user of this number, from 1 on. */
    public static String email(int number) {
        return "person%d@square.example".formatted(number);
    }

    /** Creates {@code count} users; some have a time zone in which a day begins about {@code midnight}. */
    public static List<ChaosUser> create(Handle handle, int count, Instant midnight, SplittableRandom random) {
        var users = new ArrayList<ChaosUser>();
        for (int n = 1; n <= count; n++) {
            var user = new ChaosUser((1_700_000_000_000L + n * 1000L) << 20, "hrb_" + "%043d".formatted(n));
            users.add(user);
            handle.createUpdate("""
                            INSERT INTO accounts.users (id, email, nickname, password, is_admin, snippet, time_zone)
                            VALUES (:id, :email, :nickname, :password, false, '[]', :zone)
                            """)
                    .bind("id", user.id())
                    .bind("email", email(n))
                    .bind("nickname", "Person " + n)
                    .bind("password", PASSWORD_HASH)
                    .bind("zone", zone(n, midnight.plusMillis(random.nextInt(-2000, 2000))))
                    .execute();
            handle.createUpdate("INSERT INTO accounts.user_details (user_id, introduction) VALUES (:id, '')")
                    .bind("id", user.id())
                    .execute();
            handle.createUpdate("""
                            INSERT INTO accounts.api_tokens (id, user_id, name, secret_hash)
                            VALUES (:id, :id, 'chaos', sha256(convert_to(:token, 'UTF8')))
                            """)
                    .bind("id", user.id())
                    .bind("token", user.token())
                    .execute();
        }
        return users;
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
        int max = ZoneOffset.MAX.getTotalSeconds();
        return ZoneOffset.ofTotalSeconds(seconds <= max ? -seconds : 86_400 - seconds);
    }
}
