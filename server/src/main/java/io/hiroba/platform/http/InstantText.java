package io.hiroba.platform.http;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdSerializer;

/** Writes a time with exactly three digits of a second's fraction, so that texts sort and compare as times do. */
final class InstantText extends StdSerializer<Instant> {

    private static final DateTimeFormatter FORM =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    InstantText() {
        super(Instant.class);
    }

    @Override
    public void serialize(Instant value, JsonGenerator json, SerializationContext context) {
        json.writeString(of(value));
    }

    static String of(Instant value) {
        return FORM.format(value);
    }
}
