"""Language models that are networks: ONNX files of our own format, and Hugging Face models."""
