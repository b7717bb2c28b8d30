package io.hiroba.platform.log;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import io.hiroba.platform.http.Json;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Writes each event of the log as a JSON object on a line: {@code time}, {@code level}, {@code logger}, {@code thread}, {@code message}, the
 * values of its context such as {@code requestId}, and {@code error} with its stack.
 */
final class JsonLogEncoder extends EncoderBase<ILoggingEvent> {

    private static final int LENGTH = 256;

    private final ThrowableProxyConverter stacks = new ThrowableProxyConverter();

    @Override
    public void start() {
        stacks.setContext(context);
        stacks.setOptionList(List.of("full"));
        stacks.start();
        super.start();
    }

    @Override
    public byte[] headerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        var text = new StringWriter(LENGTH);
        try (var json = Json.mapper().createGenerator(text)) {
            json.writeStartObject()
                    .writeStringProperty(
                            "time",
                            event.getInstant().truncatedTo(ChronoUnit.MILLIS).toString())
                    .writeStringProperty("level", event.getLevel().toString())
                    .writeStringProperty("logger", event.getLoggerName())
                    .writeStringProperty("thread", event.getThreadName())
                    .writeStringProperty("message", event.getFormattedMessage());
            event.getMDCPropertyMap().forEach(json::writeStringProperty);
            if (event.getThrowableProxy() != null) {
                json.writeStringProperty("error", stacks.convert(event));
            }
            json.writeEndObject();
        }
        return text.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] footerBytes() {
        return new byte[0];
    }
}
