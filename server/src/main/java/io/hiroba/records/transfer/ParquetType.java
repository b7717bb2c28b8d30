package io.hiroba.records.transfer;

import io.hiroba.records.ValueType;
import io.hiroba.records.transfer.ThriftInput.BrokenException;
import io.hiroba.records.transfer.ThriftInput.Struct;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/**
 * The type of a column of a Parquet file.
 *
 * @param physical how values are stored: 0 booleans, 1 and 2 integers, 3 moments of old, 4 and 5 floating point, 6 and 7 bytes
 * @param length the bytes of a value of fixed length
 */
record ParquetType(int physical, int length, Meaning meaning, int scale, boolean utc) {

    private static final int MAX_SCALE = 200;
    private static final int MAX_DECIMAL = 100;
    private static final long JULIAN_EPOCH = 2_440_588;

    /** A meaning of stored values. */
    enum Meaning {
        PLAIN,
        TEXT,
        JSON,
        DECIMAL,
        DAY,
        TIME_MILLIS,
        TIME_MICROS,
        TIME_NANOS,
        MILLIS,
        MICROS,
        NANOS,
        UNSIGNED,
        UUID
    }

    /** A value as a cell; empty if it is none. */
    record CellText(String text, ValueType type) {

        static final CellText NONE = new CellText("", ValueType.TEXT);
    }

    /** Bytes of which nobody says what they are, and that are no text. */
    static final class NoTextException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        NoTextException() {
            super("bytes that are no text", null, false, false);
        }
    }

    static ParquetType of(Struct element) {
        int physical = (int) element.number(1);
        int length = (int) element.number(2, 0);
        int scale = (int) element.number(7, 0);
        var meaning = converted((int) element.number(6, -1));
        boolean utc = true;
        if (element.has(10)) {
            var logical = element.struct(10);
            if (logical.has(5)) {
                scale = (int) logical.struct(5).number(1, scale);
                meaning = Meaning.DECIMAL;
            } else if (logical.has(8)) {
                utc = logical.struct(8).flag(1, true);
                meaning = unit(logical.struct(8).struct(2), Meaning.MILLIS, Meaning.MICROS, Meaning.NANOS);
            } else if (logical.has(7)) {
                meaning =
                        unit(logical.struct(7).struct(2), Meaning.TIME_MILLIS, Meaning.TIME_MICROS, Meaning.TIME_NANOS);
            } else if (logical.has(14)) {
                meaning = Meaning.UUID;
            } else if (meaning == Meaning.PLAIN) {
                meaning = logical.has(1) || logical.has(4)
                        ? Meaning.TEXT
                        : logical.has(6) ? Meaning.DAY : logical.has(12) ? Meaning.JSON : Meaning.PLAIN;
            }
        }
        if (scale < 0 || scale > MAX_SCALE || length < 0 || (physical == 7 && length == 0)) {
            throw new BrokenException("no such type");
        }
        return new ParquetType(physical, length, meaning, scale, utc);
    }

    private static Meaning unit(Struct unit, Meaning millis, Meaning micros, Meaning nanos) {
        return unit.has(1) ? millis : unit.has(2) ? micros : nanos;
    }

    private static Meaning converted(int type) {
        return switch (type) {
            case 0, 4 -> Meaning.TEXT;
            case 5 -> Meaning.DECIMAL;
            case 6 -> Meaning.DAY;
            case 7 -> Meaning.TIME_MILLIS;
            case 8 -> Meaning.TIME_MICROS;
            case 9 -> Meaning.MILLIS;
            case 10 -> Meaning.MICROS;
            case 11, 12, 13, 14 -> Meaning.UNSIGNED;
            case 19 -> Meaning.JSON;
            default -> Meaning.PLAIN;
        };
    }

    /** Whether values can be read: not bytes of which nobody says what they are. */
    boolean isReadable() {
        return switch (physical) {
            case 0, 1, 2, 3, 4, 5, 6 -> true;
            case 7 -> meaning == Meaning.DECIMAL || (meaning == Meaning.UUID && length == 16);
            default -> false;
        };
    }

    /** Whether a value that is there may be none: what is no number. */
    boolean isFloating() {
        return physical == 4 || physical == 5;
    }

    /** Reads a value other than a boolean, of which several are in a byte. */
    CellText read(ByteBuffer page) {
        var in = page.order(ByteOrder.LITTLE_ENDIAN);
        return switch (physical) {
            case 1 -> number(in.getInt(), 0xffffffffL);
            case 2 -> number(in.getLong(), -1);
            case 3 -> {
                long nanos = in.getLong();
                long day = in.getInt() - JULIAN_EPOCH;
                yield moment(Instant.ofEpochSecond(day * 86_400, nanos));
            }
            case 4 -> floating(in.getFloat());
            case 5 -> floating(in.getDouble());
            case 6 -> bytes(take(in, in.getInt()));
            case 7 -> bytes(take(in, length));
            default -> throw new BrokenException("no such type");
        };
    }

    /** Passes by a value other than a boolean. */
    void skip(ByteBuffer page) {
        int bytes = switch (physical) {
            case 1, 4 -> 4;
            case 2, 5 -> 8;
            case 3 -> 12;
            case 6 -> page.order(ByteOrder.LITTLE_ENDIAN).getInt();
            default -> length;
        };
        if (bytes < 0 || bytes > page.remaining()) {
            throw new BrokenException("it ends too early");
        }
        page.position(page.position() + bytes);
    }

    private static byte[] take(ByteBuffer in, int length) {
        if (length < 0 || length > in.remaining()) {
            throw new BrokenException("it ends too early");
        }
        var bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    private CellText number(long value, long mask) {
        return switch (meaning) {
            case DAY -> new CellText(LocalDate.ofEpochDay(value).toString(), ValueType.DATE);
            case MILLIS -> moment(Instant.ofEpochMilli(value));
            case MICROS -> moment(Instant.EPOCH.plus(value, ChronoUnit.MICROS));
            case NANOS -> moment(Instant.ofEpochSecond(0, value));
            case TIME_MILLIS -> time(Math.multiplyExact(value, 1_000_000));
            case TIME_MICROS -> time(Math.multiplyExact(value, 1_000));
            case TIME_NANOS -> time(value);
            case DECIMAL -> decimal(BigInteger.valueOf(value));
            case UNSIGNED -> new CellText(Long.toUnsignedString(mask == -1 ? value : value & mask), ValueType.NUMERIC);
            case PLAIN, TEXT, JSON, UUID -> new CellText(Long.toString(value), ValueType.NUMERIC);
        };
    }

    private static CellText time(long nanos) {
        return new CellText(LocalTime.ofNanoOfDay(nanos).toString(), ValueType.TEXT);
    }

    private CellText moment(Instant moment) {
        var text = utc
                ? moment.toString()
                : DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(LocalDateTime.ofInstant(moment, ZoneOffset.UTC));
        return new CellText(text, ValueType.DATETIME);
    }

    /** What is no number is how some programs write a missing one. */
    private static CellText floating(Number value) {
        return Double.isFinite(value.doubleValue()) ? plain(new BigDecimal(value.toString())) : CellText.NONE;
    }

    private CellText decimal(BigInteger unscaled) {
        return plain(new BigDecimal(unscaled, scale));
    }

    private static CellText plain(BigDecimal number) {
        var text = number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
        return new CellText(text, ValueType.NUMERIC);
    }

    private CellText bytes(byte[] bytes) {
        if (meaning == Meaning.DECIMAL) {
            if (bytes.length == 0 || bytes.length > MAX_DECIMAL) {
                throw new BrokenException("no such number");
            }
            return decimal(new BigInteger(bytes));
        }
        if (meaning == Meaning.UUID && bytes.length == 16) {
            var uuid = ByteBuffer.wrap(bytes);
            return new CellText(new UUID(uuid.getLong(), uuid.getLong()).toString(), ValueType.TEXT);
        }
        try {
            var text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return new CellText(text, meaning == Meaning.JSON ? ValueType.JSONB : ValueType.TEXT);
        } catch (CharacterCodingException e) {
            throw meaning == Meaning.PLAIN ? new NoTextException() : new BrokenException("bytes that are no text");
        }
    }
}
