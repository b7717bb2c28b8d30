package io.hiroba.knowledge.embedding;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes an ONNX model whose logit for a pair of texts is the number of their common words less two. Its table of words is
 * in a file of its own, as in large models.
 */
final class TinyCrossEncoder {

    private static final int FLOAT = 1;
    private static final int INT64 = 7;
    private static final int CLS = 101;
    private static final int SEP = 102;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private TinyCrossEncoder() {}

    /** @param words the size of its vocabulary, which is that of BERT's tokenizers */
    static void write(Path file, int words) throws IOException {
        var weights = ByteBuffer.allocate(4 * words).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < words; i++) {
            weights.putFloat(i == CLS || i == SEP ? 0 : 1);
        }
        var graph = new TinyCrossEncoder()
                .node("Unsqueeze", "ids_down", 2, "input_ids")
                .node("Unsqueeze", "ids_across", 1, "input_ids")
                .node("Equal", "same", 0, "ids_down", "ids_across")
                .node("Cast", "same_number", FLOAT, "same")
                .node("Cast", "of_passage", FLOAT, "token_type_ids")
                .node("Sub", "of_query", 0, "one", "of_passage")
                .node("Unsqueeze", "query_down", 2, "of_query")
                .node("Unsqueeze", "passage_across", 1, "of_passage")
                .node("Gather", "weights_of_words", 0, "weights", "input_ids")
                .node("Unsqueeze", "weights_across", 1, "weights_of_words")
                .node("Mul", "common_1", 0, "same_number", "query_down")
                .node("Mul", "common_2", 0, "common_1", "passage_across")
                .node("Mul", "common_3", 0, "common_2", "weights_across")
                .node("ReduceSum", "sum", 0, "common_3")
                .node("Sub", "less", 0, "sum", "two")
                .node("Unsqueeze", "logits", 1, "less")
                .text(2, "overlap")
                .message(5, external("weights", name(file) + "_data", words))
                .message(5, tensor("one", number(1), 1))
                .message(5, tensor("two", number(2), 1))
                .message(11, value("input_ids", INT64))
                .message(11, value("token_type_ids", INT64))
                .message(12, value("logits", FLOAT));
        Files.write(file.resolveSibling(name(file) + "_data"), weights.array());
        Files.write(
                file,
                new TinyCrossEncoder()
                        .number(1, 7)
                        .message(7, graph)
                        .message(8, new TinyCrossEncoder().number(2, 11))
                        .out
                        .toByteArray());
    }

    private TinyCrossEncoder node(String type, String output, int attribute, String... inputs) {
        var node = new TinyCrossEncoder();
        for (var input : inputs) {
            node.text(1, input);
        }
        node.text(2, output).text(4, type);
        switch (type) {
            case "Unsqueeze" -> node.message(5, integers("axes", attribute));
            case "Cast" -> node.message(5, integer("to", attribute));
            case "ReduceSum" -> node.message(5, integers("axes", 1, 2)).message(5, integer("keepdims", 0));
            default -> {}
        }
        return message(1, node);
    }

    private static TinyCrossEncoder integer(String name, int value) {
        return new TinyCrossEncoder().text(1, name).number(3, value).number(20, 2);
    }

    private static TinyCrossEncoder integers(String name, int... values) {
        var attribute = new TinyCrossEncoder().text(1, name);
        for (int value : values) {
            attribute.number(8, value);
        }
        return attribute.number(20, 7);
    }

    private static byte[] number(float value) {
        return ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putFloat(value)
                .array();
    }

    private static TinyCrossEncoder tensor(String name, byte[] content, int size) {
        return new TinyCrossEncoder()
                .number(1, size)
                .number(2, FLOAT)
                .text(8, name)
                .bytes(9, content);
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    private static TinyCrossEncoder external(String name, String file, int size) {
        var location = new TinyCrossEncoder().text(1, "location").text(2, file);
        return new TinyCrossEncoder()
                .number(1, size)
                .number(2, FLOAT)
                .text(8, name)
                .message(13, location)
                .number(14, 1);
    }

    private static TinyCrossEncoder value(String name, int type) {
        var shape = new TinyCrossEncoder()
                .message(1, new TinyCrossEncoder().text(2, "texts"))
                .message(1, new TinyCrossEncoder().text(2, name + "_length"));
        var tensor = new TinyCrossEncoder().number(1, type).message(2, shape);
        return new TinyCrossEncoder().text(1, name).message(2, new TinyCrossEncoder().message(1, tensor));
    }

    private TinyCrossEncoder number(int field, long value) {
        varint((long) field << 3);
        varint(value);
        return this;
    }

    private TinyCrossEncoder text(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    private TinyCrossEncoder message(int field, TinyCrossEncoder message) {
        return bytes(field, message.out.toByteArray());
    }

    private TinyCrossEncoder bytes(int field, byte[] value) {
        varint((long) field << 3 | 2);
        varint(value.length);
        out.writeBytes(value);
        return this;
    }

    private void varint(long value) {
        for (long left = value; ; left >>>= 7) {
            if (left < 128) {
                out.write((int) left);
                return;
            }
            out.write((int) (left & 127 | 128));
        }
    }
}
