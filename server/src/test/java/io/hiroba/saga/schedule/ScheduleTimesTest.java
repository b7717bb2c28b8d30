package io.hiroba.saga.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.SagaProblem;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The due times of cron expressions and intervals, also where the clocks change. */
class ScheduleTimesTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");

    private static List<String> next(String cron, ZoneId zone, String after, int count) {
        var times = ScheduleTimes.ofCron(cron, zone);
        var all = new ArrayList<String>();
        for (var next = times.after(Instant.parse(after)); all.size() < count; next = times.after(next.get())) {
            all.add(next.orElseThrow().toString());
        }
        return all;
    }

    @Test
    void aTimeThatDoesNotExistIsDueOnceWhenTheClocksChange() {
        // On 29 March 2026 02:00 is followed by 03:00 in Berlin, on 8 March in New York.
        assertThat(next("30 2 * * *", BERLIN, "2026-03-28T00:00:00Z", 3))
                .containsExactly("2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z");
        assertThat(next("15,45 2 * * *", BERLIN, "2026-03-29T00:00:00Z", 2))
                .containsExactly("2026-03-29T01:00:00Z", "2026-03-30T00:15:00Z");
        assertThat(next("0,30 2,3 * * *", BERLIN, "2026-03-29T00:00:00Z", 2))
                .containsExactly("2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z");
        assertThat(next("30 2 * * *", NEW_YORK, "2026-03-07T12:00:00Z", 2))
                .containsExactly("2026-03-08T07:00:00Z", "2026-03-09T06:30:00Z");
    }

    @Test
    void aTimeThatExistsTwiceIsDueOnce() {
        // On 25 October 2026 the hour from 02:00 comes twice in Berlin, on 1 November that from 01:00 in New York.
        assertThat(next("30 2 * * *", BERLIN, "2026-10-24T12:00:00Z", 2))
                .containsExactly("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z");
        assertThat(next("30 1 * * *", NEW_YORK, "2026-10-31T12:00:00Z", 2))
                .containsExactly("2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z");
        assertThat(next("10,50 2 * * *", BERLIN, "2026-10-25T01:20:00Z", 1))
                .as("in the second of the two hours")
                .containsExactly("2026-10-26T01:10:00Z");
    }

    @Test
    void whatIsDueEveryHourFollowsTheTimeThatPasses() {
        assertThat(next("30 * * * *", BERLIN, "2026-03-29T00:00:00Z", 3))
                .containsExactly("2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z", "2026-03-29T02:30:00Z");
        assertThat(next("30 * * * *", BERLIN, "2026-10-24T23:45:00Z", 4))
                .containsExactly(
                        "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T02:30:00Z", "2026-10-25T03:30:00Z");
        assertThat(next("0 * * * *", NEW_YORK, "2026-11-01T04:30:00Z", 3))
                .containsExactly("2026-11-01T05:00:00Z", "2026-11-01T06:00:00Z", "2026-11-01T07:00:00Z");
        assertThat(next("0 * 1 7 *", BERLIN, "2026-07-02T12:00:00Z", 1))
                .as("after two changes of the clocks")
                .containsExactly("2027-06-30T22:00:00Z");
        assertThat(next("*/20 * * * *", BERLIN, "2026-10-25T00:50:00Z", 3))
                .containsExactly("2026-10-25T01:00:00Z", "2026-10-25T01:20:00Z", "2026-10-25T01:40:00Z");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 */1 * * *", "0 0-23 * * *", "0 0-11,12-23 * * *", "0 */2,1-23/2 * * *"})
    void everyHourIsEveryHourHoweverItIsWritten(String cron) {
        assertThat(next(cron, BERLIN, "2027-10-30T23:00:00Z", 3))
                .containsExactly("2027-10-31T00:00:00Z", "2027-10-31T01:00:00Z", "2027-10-31T02:00:00Z");
    }

    @Test
    void theDayOfTheMonthAndThatOfTheWeekAreAlternatives() {
        assertThat(next("0 0 1 * 1", ZoneId.of("UTC"), "2026-01-30T00:00:00Z", 3))
                .containsExactly("2026-02-01T00:00:00Z", "2026-02-02T00:00:00Z", "2026-02-09T00:00:00Z");
        assertThat(next("0 0 29 2 *", ZoneId.of("UTC"), "2026-01-01T00:00:00Z", 2))
                .containsExactly("2028-02-29T00:00:00Z", "2032-02-29T00:00:00Z");
    }

    @Test
    void anIntervalDoesNotDrift() {
        var times = ScheduleTimes.ofInterval(Duration.ofMinutes(5));
        assertThat(times.after(Instant.parse("2026-01-01T00:03:07Z"))).contains(Instant.parse("2026-01-01T00:05:00Z"));
        assertThat(times.after(Instant.parse("2026-01-01T00:05:00Z"))).contains(Instant.parse("2026-01-01T00:10:00Z"));
    }

    @Test
    void theLastDueTimeOfALongWindowIsFound() {
        var now = Instant.parse("2026-06-15T12:34:56Z");
        var year = now.minus(Duration.ofDays(366));
        assertThat(ScheduleTimes.ofCron("0 0 1 1 *", BERLIN).lastWithin(year, now))
                .contains(Instant.parse("2025-12-31T23:00:00Z"));
        assertThat(ScheduleTimes.ofCron("* * * * *", BERLIN).lastWithin(year, now))
                .contains(Instant.parse("2026-06-15T12:34:00Z"));
        assertThat(ScheduleTimes.ofCron("0 0 29 2 *", BERLIN).lastWithin(year, now))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            * * * *       | `cron` must have five fields
            @every 5m     | `cron` must have five fields
            61 * * * *    | `cron` has 61 as its minute
            0 24 * * *    | `cron` has 24 as its hour
            0 0 32 * *    | `cron` has 32 as its day of the month
            0 0 * moon *  | `cron` has moon as its month
            0 0 * * 8     | `cron` has 8 as its day of the week
            0 0 31 2 *    | `cron` is never due
            5-1 * * * *   | `cron` has 5-1 as its minute
            */0 * * * *   | `cron` has */0 as its minute
            0 0 L * *     | `cron` has l as its day of the month
            """)
    void whatIsWrongIsSaidOfTheFieldThatItIsIn(String cron, String words) {
        assertThatThrownBy(() -> ScheduleTimes.ofCron(cron, BERLIN))
                .isInstanceOfSatisfying(
                        SagaProblem.class,
                        problem -> assertThat(problem.detail().toString()).startsWith(words));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            * * * * *      | Every minute                             | 毎分                    | 每分钟
            */15 * * * *   | Every 15 minutes                         | 15分ごと                | 每 15 分钟
            @hourly        | Every hour, at minute 0                  | 毎時0分                | 每小时的第 0 分钟
            5 */6 * * *    | Every 6 hours, at minute 5               | 6時間ごと5分           | 每 6 小时的第 5 分钟
            0 9 * * *      | Every day at 09:00                       | 毎日 09:00              | 每天 09:00
            0 9 * * mon-fri| Monday to Friday at 09:00                | 月曜日から金曜日の 09:00     | 星期一至星期五 09:00
            30 7 * * sat,7 | Every Saturday and Sunday at 07:30       | 毎週土曜日、日曜日の 07:30  | 每周六和日 07:30
            0 0 1 * *      | On day 1 of every month at 00:00         | 毎月1日 00:00          | 每月 1 日 00:00
            @yearly        | Every year on 1/1 at 00:00               | 毎年1月1日 00:00      | 每年 1 月 1 日 00:00
            """)
    void theUsualFormsAreSaidInWords(String cron, String english, String japanese, String chinese) {
        var words = ScheduleTimes.ofCron(cron, BERLIN).words().orElseThrow();
        assertThat(words.in(Language.ENGLISH)).isEqualTo(english);
        assertThat(words.in(Language.JAPANESE)).isEqualTo(japanese);
        assertThat(words.in(Language.CHINESE)).isEqualTo(chinese);
    }

    @ParameterizedTest
    @ValueSource(strings = {"*/45 * * * *", "*/59 * * * *", "0 */5 * * *", "0 0 29 2 *"})
    void whatIsNotQuiteSoIsNotSaid(String cron) {
        assertThat(ScheduleTimes.ofCron(cron, BERLIN).words()).isEmpty();
    }

    @Test
    void ofOtherFormsTheTimesSayMore() {
        assertThat(ScheduleTimes.ofCron("0 9-17/2 * * mon-fri", BERLIN).words()).isEmpty();
        assertThat(ScheduleTimes.ofInterval(Duration.ofHours(36)).words().map(Text::toString))
                .isEqualTo(Optional.of("Every 36 hours"));
    }
}
